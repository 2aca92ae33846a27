"""The API of this instance, called in this process as its administrator, with its rules and JSON."""

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from ingot.cli.ready import existing_services, load_settings
from ingot.cli.refusals import Refusal, no_user
from ingot.kit.error_texts import sentence_of_body
from ingot.kit.loading import without_collection

if TYPE_CHECKING:
    from starlette.types import Message

    from ingot.kit.actor import Actor
    from ingot.kit.api import Api
    from ingot.kit.services import Services

PAGE = 100


class LocalApi:
    """`api.get("/users", search="x")`; an error of the API ends the command with its text."""

    def __init__(self, data: str | None, database_url: str | None) -> None:
        self.services = existing_services(load_settings(data=data, database_url=database_url))
        self._api = _api(self.services)

    def get(self, path: str, **values: object) -> Any:
        """Read one record."""
        return self._call("GET", path, values)

    def find(self, path: str, **values: object) -> Any:
        """Read one record; None if it is missing."""
        return self._call("GET", path, values, or_none=True)

    def post(self, path: str, **values: object) -> Any:
        """Send a POST request."""
        return self._call("POST", path, values)

    def put(self, path: str, **values: object) -> Any:
        """Change something."""
        return self._call("PUT", path, values)

    def delete(self, path: str, **values: object) -> None:
        """Remove something."""
        self._call("DELETE", path, values)

    def rows(self, path: str, most: int, **values: object) -> list[dict[str, Any]]:
        """At most so many rows of a list, page by page."""
        rows: list[dict[str, Any]] = []
        while len(rows) < most:
            page = self.get(path, per_page=PAGE, page=len(rows) // PAGE + 1, **values)
            rows += page
            if len(page) < PAGE:
                break
        return rows[:most]

    def user(self, name: str) -> dict[str, Any]:
        """The user of this name."""
        # An empty name, as of an unset variable, would be no filter: everybody fits.
        for row in self.get("/users", username=name) if name else ():
            user: dict[str, Any] = row
            return user
        raise no_user(name)

    def _call(self, method: str, path: str, values: dict[str, object], *, or_none: bool = False) -> Any:
        import asyncio  # costly, and not needed by commands that only print

        given = {name: value for name, value in values.items() if value is not None}
        status, body = asyncio.run(self._answer(method, path, given))
        content = msgspec.json.decode(body) if body else None
        if status == 404 and or_none:
            return None
        if status >= 400:
            raise Refusal(f"{sentence_of_body(content).rstrip('.')}.")
        return content

    async def _answer(self, method: str, path: str, values: dict[str, object]) -> tuple[int, bytes]:
        in_query = method in ("GET", "DELETE")
        body = b"" if in_query else msgspec.json.encode(values)
        status, chunks = 0, []

        async def receive() -> "Message":
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: "Message") -> None:
            nonlocal status
            status = message.get("status", status)
            chunks.append(message.get("body", b""))

        address = urlsplit(self.services.settings.base_url or "http://localhost")
        full = f"/api/v4{path}"
        headers = {
            "host": address.netloc, "content-type": "application/json", "content-length": str(len(body))
        }  # fmt: skip
        scope = {
            "type": "http", "method": method, "scheme": address.scheme, "path": full, "raw_path": full.encode(),
            "query_string": urlencode(_query(values)).encode() if in_query else b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 0), "server": (address.hostname, address.port), "http_version": "1.1",
        }  # fmt: skip
        await self._api(scope, receive, send)
        return status, b"".join(chunks)


def encoded(path: str) -> str:
    """A full path, or a number, as one segment of an address."""
    return quote(path, safe="")


@without_collection()
def _api(services: "Services") -> "Api":
    from ingot import app as composition
    from ingot.access.call import Call
    from ingot.identity.authentication import Authenticator
    from ingot.instance import is_on_for
    from ingot.kit.api import Api

    router = composition.build_router(composition.load_features()["routes"])
    services.attach(Authenticator(services.db), router)
    actor = _administrator(services)
    return Api(services, router, lambda _call: actor, is_on_for, None, Call)


def _administrator(services: "Services") -> "Actor":
    """The first administrator; no sign-in, because the user of this command can read the database anyway."""
    from sqlalchemy import select

    from ingot.identity.tables import users
    from ingot.identity.tokens import SCOPES
    from ingot.kit.actor import Actor

    with services.db.read() as conn:
        query = select(users.c.id, users.c.username, users.c.name).where(users.c.is_admin).order_by(users.c.id)
        row = conn.execute(query.limit(1)).one_or_none()
    if row is None:
        raise Refusal("There is no administrator. Create one with `ingot user create NAME --email … --admin`.")
    return Actor(user_id=row.id, username=row.username, name=row.name, is_admin=True, scopes=frozenset(SCOPES))


def _query(values: dict[str, object]) -> dict[str, str]:
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}
