"""A response whose body is in memory and whose headers are in the form of the wire: nothing is left to compute."""

from functools import lru_cache

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

Header = tuple[bytes, bytes]


class ReadyResponse(Response):
    """Sends what it was given; the length of the body is added."""

    # Starlette's own would encode, search and complete the headers once more.
    def __init__(self, body: bytes, status_code: int, headers: list[Header]) -> None:
        self.status_code = status_code
        self.background = None
        self.body = body
        self.raw_headers = headers
        if status_code not in (204, 304):
            headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI calls it
        """Answer the request."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body})


@lru_cache(256)
def wire_name(name: str) -> bytes:
    """The name of a header in the form of the wire. The same few are asked for all the time."""
    return name.lower().encode("latin-1")


def encoded(headers: dict[str, str]) -> list[Header]:
    """Headers in the form of the wire."""
    return [(wire_name(name), value.encode("latin-1")) for name, value in headers.items()]
