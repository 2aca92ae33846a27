"""Pages of releases: downloads and evidence."""

from urllib.parse import quote

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from ingot.access.abilities import ProjectAbility
from ingot.access.subjects import find_project
from ingot.features.people.user_pages import identify_reader
from ingot.features.planning.milestones import READ_MILESTONES
from ingot.features.planning.releases import queries
from ingot.features.planning.releases.policy import READ_RELEASE
from ingot.features.planning.releases.rows import ReleaseRow
from ingot.features.planning.releases.tables import release_evidences
from ingot.kit.services import Services

MOST_SPLITS = 5


def pages(services: Services) -> list[Route]:
    """Missing and hidden records answer alike."""

    async def download(request: Request) -> Response:
        return await services.pools.run(lambda: _download(services, request), wide=False)

    async def evidence(request: Request) -> Response:
        return await services.pools.run(lambda: _evidence(services, request), wide=False)

    return [
        Route("/{project:path}/-/releases/{tag:path}/downloads/{asset:path}", download),
        Route("/{project:path}/-/releases/{tag:path}/evidences/{id:int}.json", evidence),
    ]


def _download(services: Services, request: Request) -> Response:
    place = request.path_params
    parts = f"{place['tag']}/downloads/{place['asset']}".split("/downloads/")
    # Tags and files may both have that word in their names.
    for count in range(1, min(len(parts), MOST_SPLITS)):
        place["tag"], asset = "/downloads/".join(parts[:count]), "/downloads/".join(parts[count:])
        row = _find(services, request, READ_RELEASE)
        if row is None:
            continue
        with services.db.read() as conn:
            link = queries.find_link_by_path(conn, row.id, f"/{asset}")
        if link is not None:
            return RedirectResponse(quote(link.url, safe=":/?#[]@!$&'()*+,;=%~"))
    return _nothing()


def _evidence(services: Services, request: Request) -> Response:
    # It tells of the milestones too.
    row = _find(services, request, READ_RELEASE, READ_MILESTONES)
    if row is None:
        return _nothing()
    table = release_evidences
    query = select(table.c.summary).where(table.c.release_id == row.id, table.c.id == request.path_params["id"])
    with services.db.read() as conn:
        summary = conn.execute(query).scalar_one_or_none()
    return _nothing() if summary is None else Response(summary, media_type="application/json")


def _find(services: Services, request: Request, *rights: ProjectAbility) -> ReleaseRow | None:
    place = request.path_params
    if any("\x00" in str(value) for value in place.values()):
        return None
    with services.db.read() as conn:
        actor = identify_reader(services, conn, request)
        project = find_project(conn, actor, place["project"]) if "/" in place["project"] else None
        if project is None or not all(right.allows(actor, project) for right in rights):
            return None
        return queries.find(conn, project.id, place["tag"])


def _nothing() -> Response:
    return PlainTextResponse("Not found", status_code=404)
