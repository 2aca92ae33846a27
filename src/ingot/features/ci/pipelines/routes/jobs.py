"""Endpoints of jobs."""

from collections.abc import AsyncIterator, Iterator

from starlette.responses import Response, StreamingResponse

from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.features.ci.engine import (
    READ_JOBS,
    UPDATE_JOBS,
    JobRow,
    NotErasable,
    awaits_approval,
    cancel_job,
    ci_jobs,
    is_forbidden,
    is_outdated,
    may_cancel,
    may_change,
    may_erase,
    play_job,
    retry_job,
)
from ingot.features.ci.engine import get_job as load_job
from ingot.features.ci.job_outputs import erase_job, is_erasable, trace_chunks, watch_trace
from ingot.features.ci.pipelines import policy, queries
from ingot.features.ci.pipelines.entities.job import Bridge, Job, present_bridges, present_jobs
from ingot.features.ci.pipelines.params import (
    CancelJob,
    JobPath,
    ListBridges,
    ListJobs,
    ListPipelineJobs,
    PlayJob,
    given_variables,
)
from ingot.features.code.protected_branches import load as load_protection
from ingot.kit.endpoint import Answer, Binary, OneOf, Routes
from ingot.kit.errors import Forbidden, NotFound

routes = Routes("Jobs")


def _shown(call: Call, job_id: int) -> Job | Bridge:
    row = load_job(call.conn, job_id)
    return present_bridges(call, [row])[0] if row.kind == "bridge" else present_jobs(call, [row])[0]


def _changeable(call: Call[JobPath], kinds: tuple[str, ...] = ("build", "bridge")) -> JobRow:
    """The job of the path, which the caller may change."""
    row = queries.get_project_job(call.conn, call.project.id, call.params.job_id, kinds)
    if not may_change(load_protection(call.conn, call.actor, call.project), row):
        raise Forbidden
    return row


@routes.get("/projects/{id}/jobs", guard=READ_JOBS, params=ListJobs, returns=list[Job])
def list_jobs(call: Call[ListJobs]) -> Answer:
    """Jobs of a project, newest first."""
    statement = queries.jobs_in(ci_jobs.c.project_id == call.project.id, call.params)
    return call.page(statement, present_jobs, keyset=queries.job_keyset(call.params), count=False)


@routes.get("/projects/{id}/pipelines/{pipeline_id}/jobs", guard=READ_JOBS, params=ListPipelineJobs, returns=list[Job])
def list_pipeline_jobs(call: Call[ListPipelineJobs]) -> Answer:
    """Jobs of a pipeline, newest first; earlier attempts only on request."""
    row = queries.get_pipeline(call.conn, call.project.id, call.params.pipeline_id)
    condition = ci_jobs.c.pipeline_id == row.id
    if not call.params.include_retried:
        condition &= ci_jobs.c.is_retried.is_(False)
    statement = queries.jobs_in(condition, call.params)
    return call.page(statement, present_jobs, keyset=queries.job_keyset(call.params))


def _list_bridges(call: Call[ListBridges]) -> Answer:
    row = queries.get_pipeline(call.conn, call.project.id, call.params.pipeline_id)
    condition = (ci_jobs.c.pipeline_id == row.id) & ci_jobs.c.is_retried.is_(False)
    statement = queries.jobs_in(condition, call.params, "bridge")
    return call.page(statement, present_bridges, keyset=queries.job_keyset(call.params))


@routes.get(
    "/projects/{id}/pipelines/{pipeline_id}/bridges",
    guard=READ_JOBS,
    params=ListBridges,
    returns=list[Bridge],
    job_token=True,
)
def list_pipeline_bridges(call: Call[ListBridges]) -> Answer:
    """Jobs of a pipeline that trigger other pipelines."""
    return _list_bridges(call)


@routes.get(
    "/projects/{id}/pipelines/{pipeline_id}/trigger_jobs",
    guard=READ_JOBS,
    params=ListBridges,
    returns=list[Bridge],
    job_token=True,
)
def list_pipeline_trigger_jobs(call: Call[ListBridges]) -> Answer:
    """The same under its newer name."""
    return _list_bridges(call)


@routes.get("/projects/{id}/jobs/{job_id}", guard=READ_JOBS, params=JobPath, returns=Job)
def get_job(call: Call[JobPath]) -> Answer:
    """One job."""
    row = queries.get_project_job(call.conn, call.project.id, call.params.job_id)
    return present_jobs(call, [row])[0]


@routes.get("/job", guard=SIGNED_IN, returns=Job, job_token=True)
def get_job_of_token(call: Call) -> Answer:
    """The job whose token is used."""
    if call.actor.job_id is None:
        raise NotFound("Job")
    return _shown(call, call.actor.job_id)


@routes.get("/projects/{id}/jobs/{job_id}/trace", guard=READ_JOBS, params=JobPath, returns=Binary("text/plain"))
async def get_job_trace(call: Call[JobPath]) -> Response:
    """The log of a job."""
    row = await call.run(lambda: queries.get_project_job(call.conn, call.project.id, call.params.job_id))
    if row.debug_trace and not policy.may_read_debug_trace(call.actor, call.project):
        raise Forbidden("You must have developer access to the project to view debug traces")
    watch_trace(call.services, row.id)
    # Given as a header, because a log has no known charset and the library would add one.
    headers = {"Content-Type": "text/plain", "Content-Disposition": f'infile; filename="{row.id}.log"'}
    pieces = trace_chunks(call.services, row.id)
    # Before the answer begins: an unreachable store can still be reported.
    first = await call.run_with_store(next, pieces, None)
    return StreamingResponse(_stream(call, first, pieces), headers=headers)


async def _stream(call: Call, piece: bytes | None, rest: Iterator[bytes]) -> AsyncIterator[bytes]:
    while piece is not None:
        yield piece
        piece = await call.run_with_store(next, rest, None)


@routes.post("/projects/{id}/jobs/{job_id}/cancel", guard=UPDATE_JOBS, params=CancelJob, returns=OneOf(Job, Bridge))
def cancel_one_job(call: Call[CancelJob]) -> Answer:
    """Cancel a job. One that has ended stays as it is."""
    row = _changeable(call)
    if not may_cancel(call.actor, call.project):
        raise Forbidden
    if call.params.force and not policy.may_force_cancel(call.actor, call.project):
        raise Forbidden
    with call.write() as tx:
        cancel_job(tx, call.services, row, force=call.params.force)
    return _shown(call, row.id)


@routes.post("/projects/{id}/jobs/{job_id}/retry", guard=UPDATE_JOBS, params=JobPath, returns=OneOf(Job, Bridge))
def retry_one_job(call: Call[JobPath]) -> Answer:
    """Run a finished job again, as a new job in its place."""
    row = _changeable(call)
    if is_outdated(call.conn, row) or is_forbidden(call.conn, row, call.actor.user_id):
        raise Forbidden
    with call.write() as tx:
        created = retry_job(tx, call.services, row, call.actor)
    return _shown(call, created)


@routes.post("/projects/{id}/jobs/{job_id}/erase", guard=UPDATE_JOBS, params=JobPath, returns=Job)
def erase_one_job(call: Call[JobPath]) -> Answer:
    """Remove a job's log and artifacts."""
    row = queries.get_project_job(call.conn, call.project.id, call.params.job_id)
    if not may_erase(call.actor, call.project, row):
        raise Forbidden
    if not is_erasable(call.conn, row):
        raise NotErasable
    with call.write() as tx:
        erase_job(tx, row, call.actor.id)
    return _shown(call, row.id)


@routes.post(
    "/projects/{id}/jobs/{job_id}/play", guard=UPDATE_JOBS, params=PlayJob, returns=OneOf(Job, Bridge), status=200
)
def play_one_job(call: Call[PlayJob]) -> Answer:
    """Start a manual job, a delayed one before its moment, or a manual one again."""
    row = _changeable(call)
    if is_outdated(call.conn, row) or is_forbidden(call.conn, row, call.actor.user_id):
        raise Forbidden
    if row.status == "manual" and awaits_approval(call.conn, row):
        raise Forbidden
    given = given_variables(call.params.job_variables_attributes, "job_variables_attributes")
    with call.write() as tx:
        started = play_job(tx, call.services, row, call.actor, given)
    return _shown(call, started)
