"""Endpoints of job artifacts."""

from typing import Any

from starlette.responses import Response

from ingot.access.call import Call
from ingot.features.ci.engine import get_job, may_change
from ingot.features.ci.files import TreeNode, ZipEntry, list_tree
from ingot.features.ci.job_artifacts import commands, queries
from ingot.features.ci.job_artifacts.latest import find_job_by_ref, has_pipelines
from ingot.features.ci.job_artifacts.params import (
    ByRef,
    BySlashedRef,
    FileByRef,
    JobArtifacts,
    JobFile,
    JobTree,
    OneJob,
)
from ingot.features.ci.job_artifacts.policy import (
    DELETE_ARTIFACTS,
    DOWNLOAD_ARTIFACTS,
    KEEP_ARTIFACTS,
    require_readable,
)
from ingot.features.ci.job_artifacts.rows import ArchiveRow, JobOfRefRow
from ingot.features.ci.job_artifacts.serving import no_such_file, serve_archive, serve_entry
from ingot.features.ci.pipelines import Job, get_project_job, present_jobs
from ingot.features.code.protected_branches import load as load_protection
from ingot.kit.endpoint import Answer, Binary, Reply, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import Forbidden, NotFound, RecordNotFound, RouteNotFound
from ingot.kit.jobs import enqueue

routes = Routes("Job artifacts")

_DOWNLOAD: dict[str, Any] = {
    "guard": DOWNLOAD_ARTIFACTS,
    "returns": Binary(),
    "also": {206: Binary()},
    "errors": (302, 416),
    "job_token": True,
}
_FILE: dict[str, Any] = {"guard": DOWNLOAD_ARTIFACTS, "returns": Binary(), "job_token": True}


def _archive(call: Call, job_id: int) -> ArchiveRow | None:
    """The job's archive if the caller may read it; None where there is none."""
    archive = queries.find_archive(call.conn, job_id)
    require_readable(call.conn, call.actor, call.project, job_id, archive)
    return archive


def _archive_of_path(call: Call[JobArtifacts]) -> ArchiveRow | None:
    return _archive(call, get_project_job(call.conn, call.project.id, call.params.job_id).id)


@routes.get("/projects/{id}/jobs/{job_id}/artifacts", params=JobArtifacts, **_DOWNLOAD)
async def download_job_artifacts(call: Call[JobArtifacts]) -> Response:
    """The archive of a job, until the cleanup removes it."""
    archive = await call.run(_archive_of_path, call)
    if archive is None:
        raise NotFound
    return await serve_archive(call, archive)


@routes.get("/projects/{id}/jobs/{job_id}/artifacts/{artifact_path*}", params=JobFile, **_FILE)
async def download_job_artifact_file(call: Call[JobFile]) -> Response:
    """One file out of a job's archive."""

    def find() -> tuple[ArchiveRow, ZipEntry | None]:
        archive = _archive_of_path(call)
        if not queries.is_available(archive):
            raise NotFound
        return archive, queries.find_file(call.services, archive, call.params.artifact_path)

    archive, entry = await call.run_with_store(find)
    return no_such_file() if entry is None else await serve_entry(call, archive, entry, sniff=False)


@routes.get(
    "/projects/{id}/jobs/{job_id}/artifacts/tree",
    guard=DOWNLOAD_ARTIFACTS,
    params=JobTree,
    returns=list[TreeNode],
    job_token=True,
    uses_store=True,
)
def list_job_artifact_tree(call: Call[JobTree]) -> Answer:
    """What is in a folder of a job's archive: folders first, then files."""
    archive = _archive_of_path(call)
    if not queries.is_available(archive):
        raise NotFound("Artifacts")
    entries = queries.entries_of(call.services, archive)
    if entries is None:
        raise NotFound("Artifacts metadata")
    nodes = list_tree(entries, call.params.path or "", recursive=call.params.recursive)
    if nodes is None:
        raise NotFound("Path")
    return call.page_of_list(nodes, lambda _, shown: list(shown))


def _job_by_ref(call: Call[ByRef | BySlashedRef | FileByRef], ref: str) -> JobOfRefRow:
    recent = call.params.search_recent_successful_pipelines
    job = find_job_by_ref(call.conn, call.project.id, ref, call.params.job, search_recent=recent)
    if job is None:
        raise NotFound("Job") if recent else RecordNotFound
    return job


async def _by_place(call: Call[ByRef | BySlashedRef | FileByRef], place: str) -> Response:
    """`REF/download` or `REF/raw/PATH`, where both parts may contain `download` and `raw`."""

    def find() -> tuple[ArchiveRow, ZipEntry | None, bool]:
        ref, path = _split(call, place)
        archive = _archive(call, _job_by_ref(call, ref).id)
        if archive is None:
            raise NotFound
        entry = None if path is None else queries.find_file(call.services, archive, path)
        return archive, entry, path is None

    archive, entry, is_whole = await call.run_with_store(find)
    if is_whole:
        return await serve_archive(call, archive)
    return no_such_file() if entry is None else await serve_entry(call, archive, entry, sniff=True)


def _split(call: Call, place: str) -> tuple[str, str | None]:
    """Ref and path: of several possible splits, the one with the longest ref that has pipelines; else the last."""
    parts = place.split("/raw/")
    ways: list[tuple[str, str | None]] = (
        [(place.removesuffix("/download"), None)] if place.endswith("/download") else []
    )
    ways += [("/raw/".join(parts[:at]), "/raw/".join(parts[at:])) for at in range(len(parts) - 1, 0, -1)]
    if not ways:
        raise RouteNotFound
    if len(ways) == 1:
        return ways[0]
    return next((way for way in ways if has_pipelines(call.conn, call.project.id, way[0])), ways[0])


@routes.get("/projects/{id}/jobs/artifacts/{ref_name}/download", params=ByRef, **_DOWNLOAD)
async def download_artifacts_by_ref(call: Call[ByRef]) -> Response:
    """The archive of a job in the latest successful pipeline of a branch or tag, by the pipeline's creation."""
    return await _by_place(call, f"{call.params.ref_name}/download")


@routes.get("/projects/{id}/jobs/artifacts/{ref_name}/raw/{artifact_path*}", params=FileByRef, **_FILE)
async def download_artifact_file_by_ref(call: Call[FileByRef]) -> Response:
    """One file out of that archive, as plain text where it is text."""
    return await _by_place(call, f"{call.params.ref_name}/raw/{call.params.artifact_path}")


@routes.get("/projects/{id}/jobs/artifacts/{place*}", params=BySlashedRef, hidden=True, **_DOWNLOAD)
async def download_by_slashed_ref(call: Call[BySlashedRef]) -> Response:
    """The same two for refs whose slashes are not encoded."""
    return await _by_place(call, call.path["place"])


@routes.post(
    "/projects/{id}/jobs/{job_id}/artifacts/keep", guard=KEEP_ARTIFACTS, params=OneJob, returns=Job, status=200
)
def keep_job_artifacts(call: Call[OneJob]) -> Answer:
    """Keep the artifacts of a job for good."""
    job = get_project_job(call.conn, call.project.id, call.params.job_id)
    if not may_change(load_protection(call.conn, call.actor, call.project), job):
        raise Forbidden
    archive = queries.find_archive(call.conn, job.id)
    if archive is None or queries.is_expired(archive):
        raise NotFound
    with call.write() as tx:
        commands.keep(tx, job.id)
    return present_jobs(call, [get_job(call.conn, job.id)])[0]


@routes.delete("/projects/{id}/jobs/{job_id}/artifacts", guard=DELETE_ARTIFACTS, params=OneJob)
def delete_job_artifacts(call: Call[OneJob]) -> Answer:
    """Delete the artifacts of a job; its log stays."""
    job = get_project_job(call.conn, call.project.id, call.params.job_id)
    call.require_unmodified(job.updated_at)
    with call.write() as tx:
        commands.delete_of_job(tx, job.id)


@routes.delete("/projects/{id}/artifacts", guard=DELETE_ARTIFACTS, status=202, returns=MessageOnly)
def delete_project_artifacts(call: Call) -> Answer:
    """Let all artifacts of a project expire now, but for those of the newest successful pipeline of each ref."""
    call.require_unmodified(call.project.updated_at)
    with call.write() as tx:
        enqueue(tx, "job_artifacts.expire_project", args={"project_id": call.project.id})
    return Reply(ACCEPTED, status=202)
