"""The addresses that git clients talk to. Answers are plain ASGI messages: both directions stream at the same time."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TypeVar
from urllib.parse import quote

from starlette.requests import Request
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from ingot.features.code.git_http.access import GitRequest, Opened, open_any
from ingot.features.code.git_http.fetches import count_fetch
from ingot.features.code.git_http.receiving import receive
from ingot.features.code.git_http.receiving_wikis import receive_wiki
from ingot.features.code.git_http.refusals import (
    DUMB,
    TOO_MANY,
    GitRefused,
    forbidden,
    moved,
    not_found,
    with_help,
)
from ingot.features.code.git_http.wikis import OpenedWiki
from ingot.gitstore import GitError, smart_http
from ingot.gitstore.errors import BadFetch, BadPush
from ingot.gitstore.push import read_push
from ingot.gitstore.request_body import RequestBody
from ingot.gitstore.smart_http import RECEIVE_PACK, SERVICES, UPLOAD_PACK
from ingot.kit import times
from ingot.kit.errors import ApiError
from ingot.kit.faults import as_api_error
from ingot.kit.networks import subscriber_of
from ingot.kit.observe import measures, trace_request
from ingot.kit.places import NoPlace
from ingot.kit.services import Services
from ingot.kit.times import Times, noting_times

T = TypeVar("T")
log = logging.getLogger("ingot.git")

INFO_REFS = "info/refs"
PIECE = 1 << 16
NO_CACHE = {"Cache-Control": "no-cache, max-age=0, must-revalidate", "Pragma": "no-cache", "Expires": "0"}


def pages(services: Services) -> list[BaseRoute]:
    """Every project's git addresses."""
    page = GitPage(services)
    return [Route(f"/{{path:path}}/{rest}", endpoint=page) for rest in (INFO_REFS, UPLOAD_PACK, RECEIVE_PACK)]


class GitPage:
    """Serves clone, fetch and push of every project."""

    observes_itself = True

    def __init__(self, services: Services) -> None:
        self.services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; refusals are plain text, which git shows to its user."""
        answer, noted = _Answer(send), times.make()
        started = time.perf_counter()
        try:
            with noting_times(noted):
                await self._serve(Request(scope, receive), answer)
        except GitRefused as refused:
            text = with_help(refused, self._base_url(Request(scope)))
            await answer.text(refused.status, text, refused.headers)
        except NoPlace:
            await answer.text(503, TOO_MANY, {"Retry-After": "60"})
        except (BadFetch, BadPush) as error:
            await answer.text(400, error.message)
        except ConnectionError:
            return  # the client disconnected
        except Exception as error:
            known = error if isinstance(error, ApiError) else as_api_error(error)
            if known is None:
                log.exception("git request failed", extra={"path": scope["path"], "method": scope["method"]})
            status, text = (500, "500 Internal Server Error") if known is None else (known.status, known.text)
            headers = None if known is None else known.headers
            await answer.text(status, error.message if isinstance(error, GitError) else text, headers)
        finally:
            self._observe(Request(scope), answer.status, time.perf_counter() - started, noted)

    def _observe(self, request: Request, status: int, seconds: float, noted: Times) -> None:
        """One log line, one count and one span per request, as the API does."""
        method, path = request.method, request.scope["path"]
        route = f"/{{project}}.git/{path.rpartition('/')[2]}"
        measures.add(method, route, status, None if method == "POST" else seconds)  # a transfer
        trace_request(request, route, status, seconds, noted)
        fields = {"method": method, "path": path, "route": route, "status": status}
        log.info("git request", extra={**fields, "ms": round(seconds * 1000, 2)})

    async def _serve(self, request: Request, answer: "_Answer") -> None:
        git_request = self._git_request(request)
        opened = await self._run(partial(open_any, self.services, git_request))
        protocol = request.headers.get("git-protocol")
        address = subscriber_of(request.client.host if request.client is not None else "")
        caller = address if opened.actor.user_id is None else f"user {opened.actor.user_id}"
        whose = (caller, str(opened.repository.path), address)
        if request.method in ("GET", "HEAD"):
            # Git shows the sentence of a refusal here, but not that of the request which follows.
            await self.services.transfers.room(*whose)
            advertise = partial(smart_http.advertise, opened.repository, git_request.service, protocol)
            body = await self._run(advertise, can_end=True)
            if git_request.service == UPLOAD_PACK and isinstance(opened, Opened):
                count_fetch(self.services, opened.project.id)
            await answer.whole(
                200, body, {"Content-Type": f"application/x-{git_request.service}-advertisement", **NO_CACHE}
            )
            return
        headers = {"Content-Type": f"application/x-{git_request.service}-result", **NO_CACHE}
        chunks = RequestBody(_body(request), encoding=request.headers.get("content-encoding"))
        if not git_request.pushes and (listed := await self._list_refs(opened, chunks, protocol)) is not None:
            await answer.whole(200, listed, headers)
            return
        async with self.services.transfers.place(*whose):
            if git_request.pushes:
                push = await read_push(chunks)
                if isinstance(opened, OpenedWiki):
                    stream: AsyncIterator[bytes] = await receive_wiki(self.services, opened, push, chunks, protocol)
                else:
                    stream = await receive(self.services, opened, push, chunks, protocol, git_request.base_url)
            else:
                gives_way = self.services.transfers.has_several(caller)
                stream = smart_http.upload_pack(opened.repository, chunks, protocol, gives_way=gives_way)
            await answer.stream(stream, headers)

    async def _list_refs(self, opened: Opened | OpenedWiki, chunks: RequestBody, protocol: str | None) -> bytes | None:
        """The answer to a question for the refs, for which no git process is started; None for anything else."""
        question = await smart_http.read_ls_refs(chunks, protocol)
        if question is None:
            return None
        return await self._run(partial(smart_http.answer_ls_refs, opened.repository, question))

    def _base_url(self, request: Request) -> str:
        return self.services.settings.base_url.rstrip("/") or str(request.base_url).rstrip("/")

    def _git_request(self, request: Request) -> GitRequest:
        path: str = request.path_params["path"]
        base_url = self._base_url(request)
        rest = request.scope["path"][len(path) + 2 :]
        query = request.url.query
        tail = f"{rest}?{query}" if query else rest
        if not path.endswith(".git"):
            if rest != INFO_REFS:
                raise not_found()
            raise moved(f"{base_url}/{quote(path)}.git/{tail}")
        is_read = request.method in ("GET", "HEAD")
        if is_read is not (rest == INFO_REFS):
            raise GitRefused(405, "Method Not Allowed", {"Allow": "GET, HEAD" if rest == INFO_REFS else "POST"})
        service = request.query_params.get("service", "") if is_read else rest
        if service not in SERVICES:
            raise forbidden(DUMB)
        authorization = request.headers.get("authorization", "")
        return GitRequest(path.removesuffix(".git"), service, authorization, base_url, tail, request)

    async def _run(self, work: Callable[[], T], *, can_end: bool = False) -> T:
        return await self.services.pools.run_git(work, can_end=can_end)


async def _body(request: Request) -> AsyncIterator[bytes]:
    while True:
        message: Message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        yield message.get("body", b"")
        if not message.get("more_body"):
            return


class _Answer:
    """Writes one answer; once it has begun, a failure can only end it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False
        self.status = 499  # the client disconnected

    async def text(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        """A sentence for people."""
        if self.begun:
            raise ConnectionError(text)
        await self.whole(status, text.encode(), {"Content-Type": "text/plain; charset=utf-8", **(headers or {})})

    async def whole(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        """A body that is there already."""
        await self._start(status, {**headers, "Content-Length": str(len(body))})
        # In pieces, for which the server waits until the client has read those before.
        for begin in range(0, len(body), PIECE):
            await self._send({"type": "http.response.body", "body": body[begin : begin + PIECE], "more_body": True})
        await self._send({"type": "http.response.body", "body": b""})

    async def stream(self, chunks: AsyncIterator[bytes], headers: dict[str, str]) -> None:
        """Chunks as they come; the status waits for the first, so that an early failure has its own."""
        try:
            async for chunk in chunks:
                if not self.begun:
                    await self._start(200, headers)
                await self._send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            close = getattr(chunks, "aclose", None)
            if close is not None:
                await close()
        if not self.begun:
            await self._start(200, headers)
        await self._send({"type": "http.response.body", "body": b""})

    async def _start(self, status: int, headers: dict[str, str]) -> None:
        self.begun, self.status = True, status
        pairs = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})
