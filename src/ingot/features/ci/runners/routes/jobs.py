"""The runner protocol: asking for jobs, streaming logs, reporting results."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, update
from sqlalchemy.exc import NoResultFound

from ingot.access.call import Call
from ingot.access.policy import ANYONE_MAY_WRITE
from ingot.features.ci.engine import FAILURE_REASONS, ci_jobs, finish_job, get_job
from ingot.features.ci.job_outputs import RangeMismatch, update_interval
from ingot.features.ci.runners.authentication import authenticate_job
from ingot.features.ci.runners.logs import LogTooLong, append_log, coverage_of, is_still_short, replace_log
from ingot.features.ci.runners.offering import offer_or_wait
from ingot.features.ci.runners.params import AppendTrace, JobOfRunner, RequestJob, UpdateJob
from ingot.features.ci.runners.response import JobResponse
from ingot.features.ci.runners.rows import RunningJobRow
from ingot.kit import wire
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.errors import BadRequest, Conflict, Forbidden, ParamError, PreconditionFailed
from ingot.kit.jobs import enqueue
from ingot.kit.patterns import pattern

routes = Routes("Runner protocol", guard=ANYONE_MAY_WRITE)

_MAX_PATCH = 8 * 1024 * 1024
_RANGE = pattern(r"(\d{1,15})-(\d{0,15})")


class WrongRange(ParamError):
    """416 Range Not Satisfiable"""

    status = 416


@routes.post("/jobs/request", params=RequestJob, returns=JobResponse, also={204: None}, errors=(409, 422))
async def request_job(call: Call[RequestJob]) -> Answer:
    """Ask for a job. 204 when there is none; its `X-GitLab-Last-Update` is sent back with the next question.

    A runner that sends the current value waits until a job arrives, or at most for the setting `job_request_wait`.
    """
    result = await offer_or_wait(call)
    if result.hand_out.job is not None:
        return result.hand_out.job
    if result.hand_out.lost:
        raise Conflict
    return Reply(status=204, headers={"X-GitLab-Last-Update": result.value})


@routes.patch("/jobs/{job_id}/trace", params=AppendTrace, status=202, returns=int, errors=(416,), streams_body=True)
async def append_job_trace(call: Call[AppendTrace]) -> Answer:
    """Add to a job's log.

    `Content-Range` says where the bytes belong; a wrong offset is answered with the right one.
    """
    job = await call.run(authenticate_job, call, call.params.job_id)
    sent = call.request.headers.get("content-range")
    if sent is None:
        raise ParamError("400 Missing header Content-Range", {"Job-Status": job.status})
    match = _RANGE.fullmatch(sent.removeprefix("bytes ").split("/")[0].strip())
    if match is None:
        raise ParamError("400 Invalid header Content-Range", {"Job-Status": job.status})
    content = await wire.read_body(call.request, _MAX_PATCH)
    with _refuse_deleted():
        return await call.run(_append, call, int(match[1]), content)


def _append(call: Call[AppendTrace], start: int, content: bytes) -> Reply:
    job_id = call.params.job_id
    try:
        with _within_limit(call), call.write() as tx:
            size = append_log(tx, job_id, start, content, debug=call.params.debug_trace)
            job = get_job(tx, job_id)
    except RangeMismatch as mismatch:
        raise WrongRange(headers={"Range": f"0-{mismatch.size}", "Job-Status": _status(call)}) from None
    headers = {
        "Job-Status": job.status,
        "Range": f"0-{size}",
        "X-GitLab-Trace-Update-Interval": str(update_interval(call.services, job_id)),
    }
    return Reply(202, status=202, headers=headers)


@contextmanager
def _within_limit(call: Call[JobOfRunner]) -> Iterator[None]:
    """A log that grows too long ends its job."""
    job_id = call.params.job_id
    try:
        yield
    except LogTooLong:
        with call.write() as tx:
            ended = finish_job(tx, call.services, job_id, "failed", failure_reason="trace_size_exceeded")
            _archive_log(tx, job_id, job_project(tx, job_id))
        raise Forbidden("Trace size limit exceeded", {"Job-Status": ended}) from None


@contextmanager
def _refuse_deleted() -> Iterator[None]:
    """A job that was deleted since its token was checked is answered like an unknown one, so that its runner stops."""
    try:
        yield
    except NoResultFound:
        raise Forbidden from None


def job_project(conn: Connection, job_id: int) -> int:
    """The project of a job."""
    return int(get_job(conn, job_id).project_id)


def _status(call: Call[JobOfRunner]) -> str:
    return str(get_job(call.conn, call.params.job_id).status)


@routes.put("/jobs/{job_id}", params=UpdateJob, returns=int, errors=(412,))
def update_job(call: Call[UpdateJob]) -> Answer:
    """Keep a running job alive, or end it. While bytes of the log are missing the end is refused with 412."""
    job = authenticate_job(call, call.params.job_id)
    with _refuse_deleted():
        if call.params.trace is not None:
            with _within_limit(call), call.write() as tx:
                replace_log(tx, job.id, call.params.trace)
        match call.params.state:
            case "running" | None:
                with call.write() as tx:
                    tx.execute(update(ci_jobs).where(ci_jobs.c.id == job.id).values(contacted_at=now()))
                interval = str(update_interval(call.services, job.id))
                return Reply(200, headers={"Job-Status": _status(call), "X-GitLab-Trace-Update-Interval": interval})
            case "success" | "failed" as state:
                return Reply(200, headers={"Job-Status": _end(call, job, state)})
            case _:
                raise BadRequest("Unknown state", {"Job-Status": job.status})


def _require_log(call: Call[UpdateJob], job: RunningJobRow) -> None:
    """The whole log must have arrived before the job ends; the runner sends missing bytes again."""
    output = call.params.output
    sent = output.bytesize if output is not None else None
    checksum = (output.checksum if output is not None else None) or call.params.checksum
    if sent is None and checksum is None:
        return
    with call.write() as tx:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == job.id).values(contacted_at=now()))
        is_short = is_still_short(tx, job.id, sent, checksum)
    if is_short:
        raise PreconditionFailed(headers={"Job-Status": _status(call)})


def _end(call: Call[UpdateJob], job: RunningJobRow, state: str) -> str:
    _require_log(call, job)
    reason = call.params.failure_reason
    if reason not in FAILURE_REASONS:
        # Newer runners send reasons that are not in this list.
        reason = "unknown_failure"
    coverage = coverage_of(call.services, call.conn, job)
    with call.write() as tx:
        if coverage is not None:
            tx.execute(update(ci_jobs).where(ci_jobs.c.id == job.id).values(coverage=coverage))
        status = finish_job(
            tx,
            call.services,
            job.id,
            state,
            failure_reason=reason if state == "failed" else None,
            exit_code=call.params.exit_code,
        )
        _archive_log(tx, job.id, job.project_id)
    return status


def _archive_log(tx: Connection, job_id: int, project_id: int) -> None:
    args = {"job_id": job_id, "project_id": project_id}
    enqueue(tx, "runners.archive_log", args=args, key=f"archive-log-{job_id}")
