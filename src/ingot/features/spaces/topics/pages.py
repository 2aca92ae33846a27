"""Pictures of topics, at the address that `avatar_url` shows."""

from functools import partial

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ingot.features.people.avatars import send_picture
from ingot.features.people.user_pages import identify_reader
from ingot.features.spaces.projects import topics
from ingot.features.spaces.topics.queries import visible_topics
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.services import Services

refers_to_blobs("avatars/", partial(select, topics.c.avatar))


def pages(services: Services) -> list[Route]:
    """Whoever sees the topic sees its picture."""

    async def show(request: Request) -> Response:
        response: Response = await services.pools.run_with_store(lambda: _show(services, request))
        return response

    return [Route("/uploads/-/system/projects/topic/avatar/{id:int}/{filename}", show)]


def _show(services: Services, request: Request) -> Response:
    place = request.path_params
    with services.db.read() as conn:
        actor = identify_reader(services, conn, request)
        row = conn.execute(visible_topics(actor).where(topics.c.id == place["id"])).one_or_none()
    return send_picture(services, None if row is None else row.avatar, place["filename"])
