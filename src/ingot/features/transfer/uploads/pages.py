"""The addresses of uploads for browsers: by the owner's id, and by its path."""

from collections.abc import Mapping

from sqlalchemy import Connection, func, select
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from ingot.access.subjects import Subject, find_group, find_moved_project, find_project
from ingot.access.tables import projects
from ingot.features.people.user_pages import identify_reader
from ingot.features.spaces.projects import project_settings
from ingot.features.transfer.uploads.owners import Owner
from ingot.features.transfer.uploads.policy import link_suffices
from ingot.features.transfer.uploads.queries import find_by_secret
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.features.transfer.uploads.serving import give
from ingot.kit.errors import NotFound
from ingot.kit.services import Services

_FILE = "uploads/{secret}/{filename}"


def pages(services: Services) -> list[Route]:
    """Missing and hidden files answer alike."""

    async def show(request: Request) -> Response:
        upload = await services.pools.run(lambda: _find(services, request), wide=True)
        if upload is None:
            return _nothing()
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


def _find(services: Services, request: Request) -> UploadRow | None:
    place = request.path_params
    if any("\x00" in str(value) for value in place.values()):
        return None
    id_or_path: str | int = place.get("owner") or place.get("group") or place.get("project") or ""
    kind = place.get("kind") or ("group" if "group" in place else "project")
    with services.db.read() as conn:
        actor = identify_reader(services, conn, request)
        seen: Subject | None
        if kind == "group":
            seen = find_group(conn, actor, id_or_path)
        elif kind == "project":
            seen = find_project(conn, actor, id_or_path) or find_moved_project(conn, actor, str(id_or_path).strip("/"))
        else:
            return None
        if seen is not None:
            return find_by_secret(conn, Owner(kind, seen.id), place["secret"], place["filename"])
        return _open_picture(conn, id_or_path, place) if kind == "project" else None


def _open_picture(conn: Connection, id_or_path: str | int, place: Mapping[str, str]) -> UploadRow | None:
    """An image of a hidden project, if the project shows images to everybody with the link."""
    by = (
        projects.c.id == id_or_path
        if isinstance(id_or_path, int)
        else projects.c.full_path_lower == func.lower(id_or_path)
    )
    row = conn.execute(
        select(projects.c.id, projects.c.settings).where(by, projects.c.pending_delete.is_(False))
    ).one_or_none()
    if row is None:
        return None
    result = find_by_secret(conn, Owner("project", row.id), place["secret"], place["filename"])
    return result if result is not None and link_suffices(project_settings(row), result.media_type) else None
