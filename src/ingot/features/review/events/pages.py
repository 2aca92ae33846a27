"""The address where people's pages get the calendar of contributions."""

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ingot.features.people.user_pages import identify_reader
from ingot.features.review.events import policy
from ingot.features.review.events.contributions import contributions_of
from ingot.identity.authentication import user_by_name_or_id
from ingot.kit.services import Services


def pages(services: Services) -> list[Route]:
    """The calendar of one person; of unknown and hidden people there is none."""

    async def show(request: Request) -> Response:
        return await services.pools.run(lambda: _calendar(services, request), wide=True)

    return [Route("/users/{username}/calendar.json", show)]


def _calendar(services: Services, request: Request) -> Response:
    with services.db.read() as conn:
        return _answer(services, conn, request)


def _answer(services: Services, conn: Connection, request: Request) -> Response:
    actor = identify_reader(services, conn, request)
    name = request.path_params["username"]
    user = None if "\x00" in name or name.isdecimal() else user_by_name_or_id(conn, name)
    if user is None or not policy.may_see(actor, user):
        return JSONResponse({"message": "404 User Not Found"}, 404)
    return JSONResponse(contributions_of(conn, actor, user.id))
