"""Turning what a handler returned into a response: JSON bytes, entity tag, pagination headers."""

import hashlib

import msgspec
from starlette.responses import Response

from ingot.kit.call import Call
from ingot.kit.endpoint import Reply
from ingot.kit.pagination import Page

_encode = msgspec.json.Encoder().encode


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
    payload = _encode(body)
    headers.setdefault("Cache-Control", "max-age=0, private, must-revalidate")
    if status in (200, 201):
        tag = f'W/"{hashlib.md5(payload, usedforsecurity=False).hexdigest()}"'
        headers.setdefault("ETag", tag)
        if call.request.method in ("GET", "HEAD") and _knows(call.request.headers.get("if-none-match", ""), tag):
            return Response(status_code=304, headers=headers)
    if call.request.method == "HEAD":
        headers["Content-Length"] = str(len(payload))
        return Response(status_code=status, headers={**headers, "Content-Type": "application/json"})
    return Response(payload, status_code=status, headers=headers, media_type="application/json")


def _knows(header: str, tag: str) -> bool:
    """The client holds this version; weak and strong forms of a tag count as one."""
    known_tags = {part.strip().removeprefix("W/") for part in header.split(",")}
    return tag.removeprefix("W/") in known_tags
