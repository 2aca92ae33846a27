"""The GPG keys of a user as text, for programs that verify signatures with them."""

from functools import partial

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ingot.features.people.gpg_keys.tables import gpg_keys
from ingot.identity.tables import users
from ingot.kit.services import Services


def pages(services: Services) -> list[Route]:
    """`/<username>.gpg`, one key after the other."""

    async def show(request: Request) -> Response:
        text = await services.pools.run(partial(_keys, services, request.path_params["username"]), wide=False)
        return PlainTextResponse("404 Not Found", 404) if text is None else PlainTextResponse(text)

    return [Route("/{username}.gpg", show)]


def _keys(services: Services, username: str) -> str | None:
    """The keys that are not revoked; None without such a user."""
    with services.db.read() as conn:
        named = select(users.c.id).where(users.c.username_lower == username.lower())
        user_id = conn.execute(named).scalar_one_or_none()
        if user_id is None:
            return None
        valid = (gpg_keys.c.user_id == user_id) & gpg_keys.c.revoked_at.is_(None)
        texts = conn.execute(select(gpg_keys.c.key).where(valid).order_by(gpg_keys.c.id)).scalars()
        return "".join(text.strip() + "\n" for text in texts)
