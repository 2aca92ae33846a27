"""The failed jobs of a request's pipeline, each with what it said last, or why it failed where it said nothing."""

from collections.abc import Iterator

import msgspec

from ingot.features.ci.job_outputs import trace_chunks, trace_size
from ingot.kit.errors import ApiError
from ingot.web.answers import FailedBridge, FailedJob, MergeRequest
from ingot.web.call import PageCall
from ingot.web.failure_words import failure_words
from ingot.web.filters import local
from ingot.web.logs import window

MOST_JOBS = 3
MOST_ASKED = 20  # those that may fail are last, so that they hide none of the others
TRACE = "/projects/:id/jobs/:job_id/trace"
JOBS = "/projects/:id/pipelines/:pipeline_id/jobs"
BRIDGES = "/projects/:id/pipelines/:pipeline_id/bridges"
TAILS = (4 * 1024, 64 * 1024)  # bytes; the second where the first has nothing but what the runner adds
# What runners do after a script that failed, and say about it.
RUNNER_GOES_ON = (
    "Running after_script", "Uploading artifacts for failed job", "Uploading artifacts as ",
    "Saving cache for failed job", "Cleaning up project directory",
)  # fmt: skip
RUNNER_ENDS = ("ERROR: Job failed", "Cleaning up")
RUNNER_SAYS = (*RUNNER_GOES_ON, *RUNNER_ENDS)
LINES_ARE_BELOW = " Its last lines are below."  # which holds on the job's own page


class FailedLine(msgspec.Struct, frozen=True):
    """A job that failed."""

    address: str
    name: str
    last_line: str
    why: str  # in words, where there is no last line


def failed_jobs(call: PageCall, request: MergeRequest) -> list[FailedLine]:
    """Some of the jobs that failed in the request's pipeline, a fork's maybe, and in those that it started."""
    pipeline = request.get("head_pipeline")
    if pipeline is None or pipeline["status"] != "failed" or request["state"] != "opened":
        return []
    result = [_line(call, job, pipeline["project_id"]) for job in _jobs(call, pipeline["project_id"], pipeline["id"])]
    if len(result) < MOST_JOBS:
        result += _downstream(call, pipeline["project_id"], pipeline["id"])
    return result[:MOST_JOBS]


def _jobs(call: PageCall, project_id: int, pipeline_id: int) -> list[FailedJob]:
    """Those that are allowed to fail last."""
    jobs: list[FailedJob] | None = call.ask_or_none(
        JOBS, **_where(call, project_id), pipeline_id=pipeline_id, scope=["failed"], per_page=str(MOST_ASKED)
    )
    return sorted(jobs or [], key=lambda job: job["allow_failure"])[:MOST_JOBS]


def _downstream(call: PageCall, project_id: int, pipeline_id: int) -> Iterator[FailedLine]:
    """Jobs that only start another pipeline have no log: the failed jobs there, or why it did not begin."""
    bridges: list[FailedBridge] | None = call.ask_or_none(
        BRIDGES, **_where(call, project_id), pipeline_id=pipeline_id, scope=["failed"], per_page=str(MOST_ASKED)
    )
    for bridge in bridges or []:
        below = bridge["downstream_pipeline"]
        jobs = _jobs(call, below["project_id"], below["id"]) if below is not None else []
        for job in jobs:
            line = _line(call, job, below["project_id"] if below else project_id)
            yield msgspec.structs.replace(line, name=f"{bridge['name']}: {line.name}")
        if not jobs:
            address = bridge["web_url"] if below is None else below["web_url"]
            why = failure_words(bridge["failure_reason"]) if below is None else "The downstream pipeline failed."
            yield FailedLine(local(address), bridge["name"], "", why)


def _line(call: PageCall, job: FailedJob, project_id: int) -> FailedLine:
    last = _last_line(call, job["id"], _where(call, project_id))
    why = "" if last else failure_words(job["failure_reason"]).removesuffix(LINES_ARE_BELOW)
    return FailedLine(local(job["web_url"]), job["name"], last, why)


def _where(call: PageCall, project_id: int) -> dict[str, int]:
    return {} if project_id == call.project.id else {"id": project_id}


def _last_line(call: PageCall, job_id: int, where: dict[str, int]) -> str:
    """What the job said last; empty where the visitor may not read its log, or nothing is in it."""
    try:
        call.ask_response(TRACE, **where, job_id=job_id)
    except ApiError:
        return ""
    size, lines = trace_size(call.conn, job_id), list[str]()
    for tail in TAILS:
        lines = [line.striptags() for line in window(trace_chunks(call.services, job_id, max(0, size - tail))).lines]
        said = [line for line in _of_script(lines) if line and not line.startswith(RUNNER_ENDS)]
        if said:
            return said[-1]
        if tail >= size:
            break
    said = [line for line in lines if line]
    return next((line for line in reversed(said) if not line.startswith(RUNNER_SAYS)), said[-1] if said else "")


def _of_script(lines: list[str]) -> list[str]:
    """Those before what the runner does after the script."""
    ends = (at for at, line in enumerate(lines) if line.startswith(RUNNER_GOES_ON))
    return lines[: next(ends, len(lines))]
