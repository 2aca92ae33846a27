"""The public keys of a user as text, for programs that fill `authorized_keys` with them."""

from functools import partial

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ingot.features.people.users.key_queries import with_comment
from ingot.features.people.users.ssh_keys import LOGIN_USES
from ingot.features.people.users.tables import keys
from ingot.identity.tables import users
from ingot.kit.services import Services


def pages(services: Services) -> list[Route]:
    """`/<username>.keys`, one key per line."""

    async def show(request: Request) -> Response:
        base_url = services.settings.base_url or str(request.base_url)
        text = await services.pools.run(partial(_keys, services, request.path_params["username"], base_url), wide=False)
        return PlainTextResponse("404 Not Found", 404) if text is None else PlainTextResponse(text)

    return [Route("/{username}.keys", show)]


def _keys(services: Services, username: str, base_url: str) -> str | None:
    """The keys that the user signs in with; None without such a user."""
    with services.db.read() as conn:
        named = select(users.c.id, users.c.name).where(users.c.username_lower == username.lower())
        user = conn.execute(named).one_or_none()
        if user is None:
            return None
        mine = (keys.c.user_id == user.id) & keys.c.usage_type.in_(LOGIN_USES)
        rows = conn.execute(select(keys.c.key).where(mine).order_by(keys.c.id)).all()
    return "".join(with_comment(row.key, user.name, base_url) + "\n" for row in rows)
