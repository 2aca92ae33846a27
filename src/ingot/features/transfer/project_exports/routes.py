"""Endpoints of project exports."""

import msgspec
from sqlalchemy import select

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER
from ingot.features.spaces.projects import ProjectIdentity, identity_values, project_statistics
from ingot.features.transfer.project_exports.commands.schedule import ExportOptions, schedule_export
from ingot.features.transfer.project_exports.limits import limit_downloads
from ingot.features.transfer.project_exports.status import status_of
from ingot.instance import application_setting
from ingot.instance.throttling import address_name, limit_endpoint
from ingot.kit.downloads import StoredFile, serve_file
from ingot.kit.endpoint import Answer, Binary, Reply, Routes
from ingot.kit.entity import ACCEPTED, UNSET, Entity, MessageOnly, UnsetType
from ingot.kit.errors import Failure, Invalid, NotFound, ParamError
from ingot.kit.outbound import Rules, UrlRefused, check_syntax
from ingot.kit.params import Param, Params

MEGABYTE = 1024 * 1024


class ExportProject(ProjectAbility):
    """Maintainers, while the instance lets projects be exported."""

    __slots__ = ()

    def admit(self, call: Call) -> None:
        """The instance's switch comes before everything else."""
        if not application_setting(call.conn, "project_export_enabled"):
            raise NotFound
        ProjectAbility.admit(self, call)


EXPORT = ExportProject(ability="export_project", level=MAINTAINER, needs_user=True)
routes = Routes("Project export", guard=EXPORT, guard_first=True)


class Upload(Params):
    """The upload target."""

    url: str = Param("Target URL.", required=True)
    http_method: str = Param("`PUT` or `POST`.", default="PUT", one_of=("PUT", "POST"))


class StartExport(Params):
    """Options of an export."""

    description: str | None = Param("Overrides the description inside the archive.")
    upload: Upload | None = Param("Send the archive to this address when it is ready.")


class ExportLinks(Entity):
    """Where the archive is."""

    api_url: str
    web_url: str


class ExportRecord(ProjectIdentity, kw_only=True):
    """The status of an export."""

    export_status: str
    links: ExportLinks | UnsetType = msgspec.field(name="_links", default=UNSET)
    export_error: str | UnsetType = UNSET


@routes.post("/projects/{id}/export", params=StartExport, status=202, returns=MessageOnly)
def start_project_export(call: Call[StartExport]) -> Answer:
    """Export a project in the background; the archive can be downloaded, or is sent to `upload[url]`."""
    limit = int(application_setting(call.conn, "project_export_limit") or 0)
    limit_endpoint(call, "project_export", limit, project_id=call.project.id)
    upload = call.params.upload
    if upload is not None and not upload.url.strip():
        raise ParamError("upload[url] is missing")
    upload_url = None if upload is None else _checked_upload(upload.url)
    _check_size(call)
    options = ExportOptions(
        description=call.params.description,
        upload_url=upload_url,
        upload_method=None if upload is None else upload.http_method,
    )
    schedule_export(call.services, call.project.id, call.actor.id, options)
    return Reply(ACCEPTED, status=202)


def _checked_upload(url: str) -> str:
    """The address as it is dialled. Syntax and scheme are checked now, its IP addresses when they are dialled."""
    try:
        return str(check_syntax(url, Rules(schemes=("http", "https"))))
    except UrlRefused as refusal:
        raise Invalid({"url": [f"is blocked: {refusal.reason}"]}) from None


def _check_size(call: Call) -> None:
    limit = int(application_setting(call.conn, "max_export_size") or 0)
    size = select(project_statistics.c.storage_size).where(project_statistics.c.project_id == call.project.id)
    if limit and (call.conn.execute(size).scalar_one_or_none() or 0) > limit * MEGABYTE:
        raise Failure(400, "The project size exceeds the export limit.")


@routes.get("/projects/{id}/export", returns=ExportRecord)
def get_project_export(call: Call) -> Answer:
    """The status of the caller's export of a project."""
    project = call.project
    result = status_of(call.conn, project.id, call.actor.id)
    record = ExportRecord(
        **identity_values(project.row),
        export_status=result.word,
    )
    if result.word == "finished":
        record.links = ExportLinks(
            api_url=f"{call.base_url}/api/v4/projects/{project.id}/export/download",
            web_url=f"{call.base_url}/{project.full_path}/download_export",
        )
    if result.word == "failed" and result.error:
        record.export_error = result.error
    return record


@routes.get(
    "/projects/{id}/export/download",
    returns=Binary("application/octet-stream"),
    also={206: Binary("application/octet-stream"), 302: None},
    errors=(416,),
)
async def download_project_export(call: Call) -> Answer:
    """The archive that the caller's last export made."""
    address = address_name(call.request)
    await call.run(lambda: limit_downloads(call.services, call.conn, call.actor.id, call.project, address))
    file = await call.run(lambda: status_of(call.conn, call.project.id, call.actor.id).file)
    if file is None:
        raise Failure(404, "404 Not found or has expired")
    if not await call.run(call.services.blobs.exists, file.blob_key):
        raise Failure(404, "The project export file is not available yet")
    stored = StoredFile(key=file.blob_key, size=file.size, filename=file.file_name, modified=file.created_at)
    return await serve_file(call, stored)
