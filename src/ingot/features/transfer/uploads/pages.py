"""The addresses of uploads for browsers: by the owner's id, and by its path."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from ingot.features.people.user_pages import identify_reader
from ingot.features.transfer.uploads.finding import find_upload
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.features.transfer.uploads.serving import give
from ingot.kit.content_links import content_link, is_opened
from ingot.kit.errors import NotFound
from ingot.kit.services import Services

_FILE = "uploads/{secret}/{filename}"


def pages(services: Services) -> list[Route]:
    """Missing and hidden files answer alike."""

    async def show(request: Request) -> Response:
        upload, elsewhere = await services.pools.run(lambda: _find(services, request), wide=True)
        if upload is None:
            return _nothing()
        if elsewhere is not None:
            return RedirectResponse(elsewhere, 302, {"Cache-Control": "no-store"})
        try:
            return await give(services, request, upload, inline=True)
        except NotFound:
            return _nothing()

    return [
        Route(f"/-/{{kind}}/{{owner:int}}/{_FILE}", show),
        Route(f"/groups/{{group:path}}/-/{_FILE}", show),
        _ProjectRoute(f"/{{project:path}}/{_FILE}", show),
    ]


class _ProjectRoute(Route):
    """Files attached to a wiki have addresses that only look like those of uploads."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the address is that of an upload."""
        return (Match.NONE, {}) if "/-/wikis/" in scope["path"] else super().matches(scope)


def _nothing() -> Response:
    return PlainTextResponse("Not found", status_code=404)


def _find(services: Services, request: Request) -> tuple[UploadRow | None, str | None]:
    """The file, and the link to where it may run, if somebody opens it and there is such a place."""
    place = request.path_params
    if any("\x00" in str(value) for value in place.values()):
        return None, None
    id_or_path: str | int = place.get("owner") or place.get("group") or place.get("project") or ""
    kind = place.get("kind") or ("group" if "group" in place else "project")
    with services.db.read() as conn:
        actor = identify_reader(services, conn, request)
        upload = find_upload(conn, actor, kind, id_or_path, place["secret"], place["filename"])
    if upload is None or not is_opened(services, request, upload.filename):
        return upload, None
    owner = f"{kind}-{upload.group_id if kind == 'group' else upload.project_id}"
    return upload, content_link(services, actor, "uploads", owner, upload.secret, upload.filename)
