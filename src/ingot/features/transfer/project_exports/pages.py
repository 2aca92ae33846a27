"""The address that a finished export shows as `web_url`: the archive, for the one who asked for it."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ingot.access.subjects import find_project
from ingot.features.people.user_pages import identify_reader
from ingot.features.transfer.project_exports.limits import limit_downloads
from ingot.features.transfer.project_exports.routes import EXPORT
from ingot.features.transfer.project_exports.status import status_of
from ingot.instance import application_setting
from ingot.instance.throttling import EndpointLimited, address_name
from ingot.kit.downloads import RangeNotSatisfiable, StoredFile, serve
from ingot.kit.errors import NotFound
from ingot.kit.services import Services


def pages(services: Services) -> list[Route]:
    """Missing and hidden records answer alike."""

    async def download(request: Request) -> Response:
        try:
            file = await services.pools.run(lambda: _find(services, request), wide=True)
        except EndpointLimited as refusal:
            return PlainTextResponse(refusal.text, status_code=refusal.status, headers=refusal.headers)
        if file is None:
            return _nothing()
        try:
            return await serve(services, request, file)
        except RangeNotSatisfiable as refusal:
            return PlainTextResponse("Range not satisfiable", status_code=416, headers=refusal.headers)
        except NotFound:
            return _nothing()

    return [Route("/{project:path}/download_export", download)]


def _nothing() -> Response:
    return PlainTextResponse("Not found", status_code=404)


def _find(services: Services, request: Request) -> StoredFile | None:
    path = str(request.path_params["project"])
    if "\x00" in path:
        return None
    with services.db.read() as conn:
        actor = identify_reader(services, conn, request)
        if actor.is_anonymous:
            return None
        project = find_project(conn, actor, path)
        if project is None or not EXPORT.allows(actor, project):
            return None
        if not application_setting(conn, "project_export_enabled"):
            return None
        limit_downloads(services, conn, actor.id, project, address_name(request))
        file = status_of(conn, project.id, actor.id).file
    if file is None:
        return None
    return StoredFile(key=file.blob_key, size=file.size, filename=file.file_name, modified=file.created_at)
