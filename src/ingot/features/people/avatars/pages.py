"""The addresses that `avatar_url` shows: `/uploads/-/system/<kind>/avatar/<id>/<file>`."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ingot.access.subjects import find_group, find_project
from ingot.features.people.avatars.routes import picture_response
from ingot.features.people.avatars.store import read_picture
from ingot.features.people.user_pages import identify_reader
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.blobs import BlobMissing
from ingot.kit.services import Services

FindKey = Callable[[Connection, Actor, Mapping[str, str | int]], str | None]


def pages(services: Services) -> list[Route]:
    """One route for groups, projects and users."""
    return [picture_route(services, "/uploads/-/system/{kind}/avatar/{id:int}/{filename}", _key)]


def picture_route(services: Services, path: str, find_key: FindKey) -> Route:
    """Images below a path. `find_key` maps the values of the path to an object that the actor may see."""

    def show(request: Request) -> Response:
        with services.db.read() as conn:
            key = find_key(conn, identify_reader(services, conn, request), request.path_params)
        return _send(services, key, request.path_params["filename"])

    async def respond(request: Request) -> Response:
        response: Response = await services.pools.run_with_store(lambda: show(request))
        return response

    return Route(path, respond)


def _send(services: Services, key: str | None, filename: str) -> Response:
    """The stored image, if it still has this name."""
    if key is None or key.rsplit("/", 1)[-1] != filename:
        return PlainTextResponse("Not found", status_code=404)
    try:
        content = read_picture(services, key)
    except BlobMissing:
        content = None
    return PlainTextResponse("Not found", status_code=404) if content is None else picture_response(content)


def _key(conn: Connection, actor: Actor, place: Mapping[str, str | int]) -> str | None:
    kind, owner_id = place["kind"], place["id"]
    if kind == "user":
        value = conn.execute(select(users.c.avatar).where(users.c.id == owner_id)).scalar_one_or_none()
    elif kind == "group":
        value = getattr(find_group(conn, actor, owner_id), "avatar", None)
    elif kind == "project":
        value = getattr(find_project(conn, actor, owner_id), "avatar", None)
    else:
        value = None
    return None if value is None else str(value)
