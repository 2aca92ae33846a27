"""Calling the API from inside the process: no socket, the same application, one person at a time."""

import asyncio
import json
from collections.abc import Mapping, MutableMapping
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp, Message


class CallFailed(Exception):
    """The API refused a call that must succeed."""


class Inside:
    """`api.post("/projects", name="x")` as the owner of a token."""

    def __init__(self, application: ASGIApp, token: str) -> None:
        self._application = application
        self._token = token

    def as_owner_of(self, token: str) -> "Inside":
        """The same application for another person."""
        return Inside(self._application, token)

    def get(self, path: str, /) -> Any:
        """GET."""
        return self._call("GET", path, None)

    def post(self, path: str, /, **body: object) -> Any:
        """POST with a JSON body."""
        return self._call("POST", path, body)

    def put(self, path: str, /, **body: object) -> Any:
        """PUT with a JSON body."""
        return self._call("PUT", path, body)

    def delete(self, path: str, /) -> None:
        """DELETE."""
        self._call("DELETE", path, None)

    def _call(self, method: str, path: str, body: Mapping[str, object] | None) -> Any:
        status, content = asyncio.run(self._exchange(method, path, json.dumps(body).encode() if body else b""))
        if status >= 400:
            raise CallFailed(f"{method} {path}: {status} {content.decode(errors='replace')[:300]}")
        return json.loads(content) if content else None

    async def _exchange(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        status, chunks = 500, []

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                chunks.append(message.get("body", b""))

        full = f"/api/v4{path}"
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": full, "raw_path": full.encode(), "query_string": b"", "root_path": "",
            "headers": [
                (b"host", b"localhost"), (b"private-token", self._token.encode()),
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
            ],
            "client": ("127.0.0.1", 0), "server": ("localhost", 80),
        }  # fmt: skip
        await self._application(scope, receive, send)
        return status, b"".join(chunks)


def path_id(full_path: str) -> str:
    """A full path as an id in a path."""
    return quote(full_path, safe="")
