"""The addresses that `avatar_url` shows: `/uploads/-/system/<kind>/avatar/<id>/<file>`."""

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


def pages(services: Services) -> list[Route]:
    """One route for all three kinds."""

    async def show(request: Request) -> Response:
        response: Response = await services.pools.run_with_store(lambda: _show(services, request))
        return response

    return [Route("/uploads/-/system/{kind}/avatar/{id:int}/{filename}", show)]


def _show(services: Services, request: Request) -> Response:
    place = request.path_params
    with services.db.read() as conn:
        key = _key(conn, identify_reader(services, conn, request), place["kind"], place["id"])
    return send_picture(services, key, place["filename"])


def send_picture(services: Services, key: str | None, filename: str) -> Response:
    """The stored picture, if it is still the one of this name."""
    if key is None or key.rsplit("/", 1)[-1] != filename:
        return PlainTextResponse("Not found", status_code=404)
    try:
        content = read_picture(services, key)
    except BlobMissing:
        content = None
    return PlainTextResponse("Not found", status_code=404) if content is None else picture_response(content)


def _key(conn: Connection, actor: Actor, kind: str, owner_id: int) -> str | None:
    if kind == "user":
        value = conn.execute(select(users.c.avatar).where(users.c.id == owner_id)).scalar_one_or_none()
    elif kind == "group":
        value = getattr(find_group(conn, actor, owner_id), "avatar", None)
    elif kind == "project":
        value = getattr(find_project(conn, actor, owner_id), "avatar", None)
    else:
        value = None
    return None if value is None else str(value)
