"""The runner protocol: artifacts of running jobs, and those of the jobs before them."""

from msgspec.structs import replace
from starlette.responses import Response

from ingot.access.call import Call
from ingot.access.policy import ANYONE_MAY_WRITE, SIGNED_IN
from ingot.access.subjects import find_project
from ingot.features.ci.engine import ci_jobs, may_read_builds
from ingot.features.ci.job_artifacts import (
    ArchiveRow,
    Upload,
    check_upload,
    find_archive,
    is_of_own_pipeline,
    require_readable,
    serve_archive,
    store_upload,
)
from ingot.features.ci.runners.authentication import authenticate_job, job_token_of, running_job
from ingot.features.ci.runners.params import DownloadDependency, UploadArtifact
from ingot.kit.endpoint import Answer, Binary, Reply, Routes
from ingot.kit.errors import Forbidden, NotFound, TooLarge, Unauthorized

routes = Routes("Runner protocol")

# Bytes that are accepted before the uploader has sent its token.
_UNPROVEN = 100 * 1024 * 1024


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
    status = ""

    def check(fields: dict[str, str], is_all: bool) -> Upload:
        nonlocal status
        call.values = {**call.values, **fields}
        options = UploadArtifact.parse({**call.values, **call.path})
        # A token sent after the file is checked then; until that, the job must at least be running.
        is_proven = is_all or bool(job_token_of(call))
        job = authenticate_job(call, call.params.job_id) if is_proven else running_job(call, call.params.job_id)
        status = job.status
        result = check_upload(call.conn, job, options)
        return (
            result if is_proven else replace(result, limit=min(result.limit or _UNPROVEN, _UNPROVEN), is_proven=False)
        )

    early: Upload | None = None
    if job_token_of(call):
        early = await call.run(check, {}, False)
        announced = call.request.headers.get("content-length", "")
        # The body is a little longer than the file in it.
        if early.limit is not None and announced.isdecimal() and int(announced) > early.limit + 65_536:
            raise TooLarge("file size has reached maximum size limit")
    elif not call.request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Forbidden
    await store_upload(call, lambda fields, is_all: early if early and not fields else check(fields, is_all))
    return Reply(201, status=201, headers={"Job-Status": status})


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
