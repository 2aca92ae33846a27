"""Turning what a handler returned into a response: JSON bytes, entity tag, pagination headers."""

import hashlib
from collections.abc import Iterator, Sequence

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ingot.kit.call import Call
from ingot.kit.endpoint import Reply
from ingot.kit.entity import Entity
from ingot.kit.page_pieces import LongRecord, Pieces
from ingot.kit.pagination import Page
from ingot.kit.ready_response import ReadyResponse, encoded
from ingot.kit.spool import Spool
from ingot.kit.unchanged import json_of, tag_of, tagged_json_of

# Larger bodies go out in parts: whole, the event loop would copy them into its buffer while others wait.
PART = 1024 * 1024
JSON = "application/json"
_encode = msgspec.json.Encoder().encode


class LargeResponse(Response):
    """Sends its body in parts, each when the one before it is on its way."""

    def __init__(self, payload: Spool, status_code: int, headers: dict[str, str]) -> None:
        self._payload = payload
        super().__init__(None, status_code, {**headers, "Content-Length": str(payload.size)}, JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI calls it
        """Answer the request."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for part in self._payload.pieces():
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def of(call: Call, result: object) -> Response:
    """The response for an entity, list, page, reply, finished response or nothing."""
    if isinstance(result, Entity) and call.endpoint.status == 200:  # most of them
        return json_response(call, result, 200, {})
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
    """JSON with its weak entity tag."""
    if isinstance(body, Entity) and status == 200 and not headers and call.request.method == "GET":
        content, tag = tagged_json_of(body)
        if len(content) <= PART:
            return ReadyResponse(content, 200, [_KEPT, (b"etag", tag.encode()), _TYPE])
    payload = _Payload(body)
    headers.setdefault("Cache-Control", "max-age=0, private, must-revalidate")
    if status in (200, 201):
        headers.setdefault("ETag", payload.tag)
    if call.request.method == "HEAD":
        headers["Content-Length"] = str(payload.size)
        return Response(status_code=status, headers={**headers, "Content-Type": JSON})
    if isinstance(payload.content, Spool):
        return LargeResponse(payload.content, status, headers)
    headers.setdefault("Content-Type", JSON)
    return ReadyResponse(payload.content, status, encoded(headers))


_KEPT = (b"cache-control", b"max-age=0, private, must-revalidate")
_TYPE = (b"content-type", JSON.encode())


# What describes a body that is not sent.
_OF_BODIES = (b"content-type", b"content-length")


def unless_known(request: Request, response: Response) -> Response:
    """The response to a read, without its body where the client holds it already (`If-None-Match`).

    Asked last, so that whoever holds an answer and whoever does not are given the same one again.
    """
    if response.status_code != 200 or request.method not in ("GET", "HEAD"):
        return response
    known_tags = request.headers.get("if-none-match")
    # Streams look at the tags themselves, before they open what they send.
    if known_tags is None or type(response) not in (ReadyResponse, LargeResponse, Response):
        return response
    if not _knows(known_tags, response.headers.get("etag", "")):
        return response
    return ReadyResponse(b"", 304, [header for header in response.raw_headers if header[0] not in _OF_BODIES])


class _Payload:
    """The JSON of an answer with its entity tag: in memory, or in a file where it is large."""

    def __init__(self, body: object) -> None:
        parts: Iterator[bytes] = iter(())
        if isinstance(body, list | Pieces | LongRecord):
            parts = _json_parts(body)
            first = next(parts)
        else:
            first = _encode(body)
        digest = hashlib.md5(first, usedforsecurity=False)
        self.content: bytes | Spool = first
        if len(first) > PART:
            self.content = Spool()
            self.content.write(first)
            for part in parts:
                digest.update(part)
                self.content.write(part)
        self.size = self.content.size if isinstance(self.content, Spool) else len(self.content)
        self.tag = tag_of(digest.hexdigest())


def _json_parts(body: Sequence[object] | Pieces | LongRecord) -> Iterator[bytes]:
    """JSON in parts, all but the last above a megabyte."""
    texts: list[bytes] = []
    size = 0
    for text in _json_texts(body):
        texts.append(text)
        size += len(text)
        if size > PART:
            yield b"".join(texts)
            texts, size = [], 0
    if texts:
        yield b"".join(texts)


def _json_texts(body: Sequence[object] | Pieces | LongRecord) -> Iterator[bytes]:
    """JSON item by item, so that other threads have their turn between two long ones."""
    if isinstance(body, LongRecord):
        yield b"%b,%b:" % (_encode(body.fields)[:-1], _encode(body.name))
        yield from _json_texts(body.items)
        yield b"}"
        return
    mark = b"["
    for item in body:
        yield mark
        mark = b","
        if isinstance(item, LongRecord):
            yield from _json_texts(item)
        else:
            yield json_of(item)
    yield b"[]" if mark == b"[" else b"]"


def _knows(header: str, tag: str) -> bool:
    """The client holds this version; weak and strong forms of a tag count as one."""
    known_tags = {part.strip().removeprefix("W/") for part in header.split(",")}
    return bool(tag) and tag.removeprefix("W/") in known_tags
