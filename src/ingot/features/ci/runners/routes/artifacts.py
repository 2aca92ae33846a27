"""The runner protocol: artifacts of running jobs, and those of the jobs before them."""

from starlette.responses import Response

from ingot.access.call import Call
from ingot.access.policy import ANYONE_MAY_WRITE, SIGNED_IN
from ingot.access.subjects import find_project
from ingot.features.ci.engine import ci_jobs, may_read_builds
from ingot.features.ci.job_artifacts import (
    ArchiveRow,
    find_archive,
    is_of_own_pipeline,
    require_readable,
    serve_archive,
    store_upload,
)
from ingot.features.ci.runners.authentication import authenticate_job
from ingot.features.ci.runners.params import DownloadDependency, UploadArtifact
from ingot.features.ci.runners.upload_checks import UploadChecks
from ingot.kit.endpoint import Answer, Binary, Reply, Routes
from ingot.kit.errors import Forbidden, NotFound, Unauthorized

routes = Routes("Runner protocol")


@routes.post(
    "/jobs/{job_id}/artifacts/authorize", guard=ANYONE_MAY_WRITE, params=UploadArtifact, status=200, hidden=True
)
def authorize_artifacts(call: Call[UploadArtifact]) -> Answer:
    """For GitLab's front proxy, which does not exist here."""
    authenticate_job(call, call.params.job_id)
    raise Forbidden


@routes.post("/jobs/{job_id}/artifacts", guard=ANYONE_MAY_WRITE, params=UploadArtifact, returns=int, streams_body=True)
async def upload_job_artifacts(call: Call[UploadArtifact]) -> Answer:
    """Upload an artifact of a running job: a multipart body with one part `file`, of any length up to the limit.

    The token and the options may be in the query, or fields of the body before or after the file.
    """
    checks = UploadChecks(call)
    await checks.require_announced_size()
    await store_upload(call, checks.check)
    return Reply(201, status=201, headers={"Job-Status": checks.status})


@routes.get(
    "/jobs/{job_id}/artifacts",
    guard=SIGNED_IN,
    params=DownloadDependency,
    returns=Binary(),
    also={206: Binary()},
    errors=(302, 416),
    job_token=True,
)
async def download_dependency(call: Call[DownloadDependency]) -> Response:
    """The archive of an earlier job, for a running one: with its own token.

    Within a pipeline `artifacts:access` does not matter; of other pipelines the token gets what its user may download.
    """
    archive = await call.run(_archive, call)
    return await serve_archive(call, archive, direct=call.params.direct_download)


def _archive(call: Call[DownloadDependency]) -> ArchiveRow:
    conn, actor = call.conn, call.actor
    if actor.token_kind != "job":
        raise Unauthorized
    job = conn.execute(
        ci_jobs.select().where(ci_jobs.c.id == call.params.job_id, ci_jobs.c.kind == "build")
    ).one_or_none()
    project = None if job is None else find_project(conn, actor, job.project_id)
    if job is None or project is None:
        raise NotFound
    if not may_read_builds(actor, project):
        raise Forbidden
    archive = find_archive(conn, job.id)
    if not is_of_own_pipeline(conn, actor, job.pipeline_id):
        require_readable(conn, actor, project, job.id, archive)
    if archive is None:
        raise NotFound
    return archive
