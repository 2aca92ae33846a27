"""Turning what a handler returned into a response: JSON bytes, entity tag, pagination headers."""

import hashlib

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ingot.kit.call import Call
from ingot.kit.endpoint import Reply
from ingot.kit.pagination import Page

# Larger bodies go out in parts: whole, the event loop would copy them into its buffer while others wait.
PART = 1024 * 1024
_encode = msgspec.json.Encoder().encode


class LargeResponse(Response):
    """Sends its body in parts, each when the one before it is on its way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI calls it
        """Answer the request."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for start in range(0, len(self.body), PART):
            part = bytes(self.body[start : start + PART])
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def of(call: Call, result: object) -> Response:
    """The response for an entity, list, page, reply, finished response or nothing."""
    if isinstance(result, Response):
        return result
    headers: dict[str, str] = {}
    status = call.endpoint.status
    body = result
    if isinstance(result, Reply):
        headers, status, body = dict(result.headers), result.status or status, result.body
    if isinstance(body, Page):
        headers.update(body.headers)
        body = body.items
    if status in (204, 304) or (body is None and call.endpoint.returns is None):
        return Response(status_code=status, headers=headers)
    return json_response(call, body, status, headers)


def json_response(call: Call, body: object, status: int, headers: dict[str, str]) -> Response:
    """JSON with its weak entity tag; a matching `If-None-Match` on a read saves the body."""
    payload = _encode_in_steps(body)
    headers.setdefault("Cache-Control", "max-age=0, private, must-revalidate")
    if status in (200, 201):
        tag = f'W/"{hashlib.md5(payload, usedforsecurity=False).hexdigest()}"'
        headers.setdefault("ETag", tag)
        if call.request.method in ("GET", "HEAD") and _knows(call.request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=headers)
    if call.request.method == "HEAD":
        headers["Content-Length"] = str(len(payload))
        return Response(status_code=status, headers={**headers, "Content-Type": "application/json"})
    kind = Response if len(payload) <= PART else LargeResponse
    return kind(payload, status_code=status, headers=headers, media_type="application/json")


def _encode_in_steps(body: object) -> bytes:
    """JSON of a list item by item, so that other threads have their turn between two long ones."""
    if not isinstance(body, list):
        return _encode(body)
    parts = [b"["]
    for item in body:
        parts += (_encode(item), b",")
    parts[-1:] = [b"]"] if body else [b"[]"]
    return b"".join(parts)


def _knows(header: str, tag: str) -> bool:
    """The client holds this version; weak and strong forms of a tag count as one."""
    known_tags = {part.strip().removeprefix("W/") for part in header.split(",")}
    return tag.removeprefix("W/") in known_tags
