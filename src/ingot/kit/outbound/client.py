"""Requests to the outside: redirects checked hop by hop, sizes and times bounded, bodies streamed both ways."""

import socket
import ssl
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec
from yarl import URL

from ingot.kit.outbound.errors import SILENT, BodyTooLarge, OutboundFailed, UrlRefused, translated
from ingot.kit.outbound.urls import Rules, check_syntax

if TYPE_CHECKING:
    # Imported on the first call: a server that calls nobody saves the library's memory.
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver
    from multidict import CIMultiDict, CIMultiDictProxy

    from ingot.kit.outbound.dial import Gate

_READING = {"GET", "HEAD"}
_REDIRECTS = {301, 302, 303, 307, 308}
_SECRET_HEADERS = {"authorization", "cookie", "private-token", "job-token", "proxy-authorization"}
# How a message is framed and where it goes is ours to say: a second length or host would make two requests of one.
CONNECTION_HEADERS = {
    "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
}  # fmt: skip
_CHUNK = 256 * 1024


class Limits(msgspec.Struct, frozen=True):
    """Seconds and bytes; None is no limit. `read` is the longest silence between two pieces."""

    total: float | None = None
    connect: float = 15
    read: float = 60
    redirects: int = 5
    reply_bytes: int | None = None


class Body(msgspec.Struct, frozen=True):
    """Something to send: exactly `size` bytes, because S3-compatible servers need the length first."""

    chunks: AsyncIterable[bytes]
    size: int


class Reply:
    """An answer whose headers have arrived; the body is read on demand."""

    def __init__(self, response: "ClientResponse", limits: Limits) -> None:
        self._response = response
        self._limits = limits
        self.status = response.status
        self.headers: Mapping[str, str] = _readable(response.headers)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it was sent, never unpacked. Raises `BodyTooLarge` beyond the limit."""
        limit = self._limits.reply_bytes
        if limit is not None and (self._response.content_length or 0) > limit:
            raise BodyTooLarge(limit)
        received = 0
        try:
            async for chunk in self._response.content.iter_chunked(_CHUNK):
                received += len(chunk)
                if limit is not None and received > limit:
                    raise BodyTooLarge(limit)
                yield chunk
        except Exception as error:  # noqa: BLE001 - `translated` passes on what it does not know
            raise translated(error) from None

    async def text(self, most: int = 4096) -> str:
        """The beginning of the body, for messages of the other side."""
        try:
            return (await self._response.content.read(most)).decode("utf-8", "replace")
        except Exception as error:  # noqa: BLE001 - `translated` passes on what it does not know
            raise translated(error) from None


class Outbound:
    """The client for outgoing requests. Keeps no connections; a resolver and a TLS context can be passed in."""

    def __init__(
        self, *, tls: ssl.SSLContext | None = None, resolver: "Callable[[], AbstractResolver] | None" = None
    ) -> None:
        self._tls = tls
        self._given_resolver = resolver

    def _resolver(self) -> "AbstractResolver":
        from aiohttp import ThreadedResolver

        return (self._given_resolver or ThreadedResolver)()

    def for_batch(self) -> "Outbound":
        """A client for several requests in a row, on one event loop: a name is looked up once in a while."""
        from ingot.kit.outbound.dial import RememberingResolver

        resolver = RememberingResolver(self._resolver())
        return Outbound(tls=self._tls, resolver=lambda: resolver)

    async def check(self, url: str, rules: Rules) -> None:
        """Raise `UrlRefused` for a URL that may not be called: syntax, scheme, any of its addresses. Calls nobody."""
        await self.addresses(url, rules)

    async def addresses(self, url: str, rules: Rules) -> list[str]:
        """The checked addresses of a URL's host, for programs that dial one themselves; raises `UrlRefused`."""
        from ingot.kit.outbound.dial import CheckedResolver, Gate

        parsed = check_syntax(url, rules)
        resolver = CheckedResolver(self._resolver(), Gate(rules))
        try:
            result = await resolver.resolve(parsed.raw_host or "", parsed.port or 0, socket.AF_UNSPEC)
        finally:
            await resolver.close()
        return [entry["host"] for entry in result]

    @asynccontextmanager
    async def request(
        self,
        method: str,
        url: str,
        rules: Rules,
        *,
        headers: Mapping[str, str] | None = None,
        body: Body | None = None,
        limits: Limits | None = None,
    ) -> AsyncIterator[Reply]:
        """One request; redirects are followed for GET and HEAD, each hop under the same rules."""
        from ingot.kit.outbound.dial import Gate

        if rules.is_silent and method not in _READING:
            raise UrlRefused(SILENT)
        limits = limits or Limits()
        target = check_syntax(url, rules)
        gate = Gate(rules)
        try:
            async with self._session(gate, limits) as session:
                response = await self._follow(session, method, target, rules, dict(headers or {}), body, limits)
                async with response:
                    yield Reply(response, limits)
        finally:
            await gate.settle()

    def _session(self, gate: "Gate", limits: Limits) -> "ClientSession":
        from aiohttp import ClientSession, ClientTimeout, DummyCookieJar

        from ingot.kit.outbound.dial import connector

        return ClientSession(
            connector=connector(gate, self._resolver(), self._tls),
            timeout=ClientTimeout(
                total=limits.total, connect=limits.connect, sock_connect=limits.connect, sock_read=limits.read
            ),
            cookie_jar=DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            headers={"User-Agent": "Ingot", "Accept-Encoding": "identity"},
        )

    async def _follow(
        self,
        session: "ClientSession",
        method: str,
        target: URL,
        rules: Rules,
        headers: dict[str, str],
        body: Body | None,
        limits: Limits,
    ) -> "ClientResponse":
        for _hop in range(limits.redirects + 1):
            response = await _send(session, method, target, headers, body)
            location = response.headers.get("Location")
            followed = method in _READING and limits.redirects > 0 and response.status in _REDIRECTS
            if not followed or not location:
                return response
            response.close()
            onward = check_syntax(_joined(target, location), rules)
            if onward.origin() != target.origin():
                headers = {name: value for name, value in headers.items() if name.lower() not in _SECRET_HEADERS}
            target = onward
        raise OutboundFailed(f"more than {limits.redirects} redirects")


def _readable(headers: "CIMultiDictProxy[str]") -> "CIMultiDict[str]":
    """The headers as text that can be stored: bytes that are no UTF-8 come in as halves of surrogate pairs."""
    from multidict import CIMultiDict

    def text(value: str) -> str:
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "")

    return CIMultiDict((text(name), text(value)) for name, value in headers.items())


def _joined(target: URL, location: str) -> str:
    try:
        return urljoin(str(target), location)
    except ValueError:
        return location


async def _send(
    session: "ClientSession", method: str, target: URL, headers: dict[str, str], body: Body | None
) -> "ClientResponse":
    sending = None if body is None else _Sending(body)
    headers = {name: value for name, value in headers.items() if name.lower() not in CONNECTION_HEADERS}
    if body is not None:
        headers = {**headers, "Content-Length": str(body.size)}
    try:
        return await session.request(
            method, target, headers=headers, data=None if sending is None else sending.chunks(), allow_redirects=False
        )
    except Exception as error:  # noqa: BLE001 - `translated` passes on what it does not know
        if sending is not None and sending.failure is not None:
            raise sending.failure from None
        raise translated(error) from None


class _Sending:
    """An outgoing body: must be as long as announced, and remembers its own failure."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.failure: Exception | None = None

    async def chunks(self) -> AsyncIterator[bytes]:
        sent = 0
        try:
            async for chunk in self._body.chunks:
                sent += len(chunk)
                if sent > self._body.size:
                    break
                yield chunk
            if sent != self._body.size:
                raise ValueError(f"the body has not the announced {self._body.size} bytes")
        except Exception as error:
            self.failure = error
            raise
