"""Outgoing requests from worker threads, which have no event loop of their own."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Protocol

import msgspec

from ingot.kit.outbound.client import Body, Limits, Outbound
from ingot.kit.outbound.urls import Rules
from ingot.kit.thread_loops import run_async


class Answer(msgspec.Struct, frozen=True):
    """A finished exchange: status, headers and, for errors, the beginning of the text."""

    status: int
    headers: Mapping[str, str]
    text: str = ""


def check_literally(url: str, rules: Rules) -> None:
    """Raise `UrlRefused` for a URL that is refused as it stands, without asking a name server."""
    from ingot.kit.outbound import dial  # late: it needs the HTTP library

    dial.check_literally(url, rules)


def addresses_blocking(outbound: Outbound, url: str, rules: Rules) -> list[str]:
    """The checked addresses of a URL's host."""
    return run_async(outbound.addresses(url, rules))


def get_blocking(
    outbound: Outbound, url: str, rules: Rules, *, headers: Mapping[str, str], limits: Limits | None = None
) -> Answer:
    """Status and headers of a GET request; the body is not read."""

    async def run() -> Answer:
        async with outbound.request("GET", url, rules, headers=headers, limits=limits) as reply:
            return Answer(reply.status, reply.headers)

    return run_async(run())


def head_blocking(outbound: Outbound, url: str, rules: Rules, limits: Limits | None = None) -> Answer:
    """Status and headers of a HEAD request."""

    async def run() -> Answer:
        async with outbound.request("HEAD", url, rules, limits=limits) as reply:
            return Answer(reply.status, reply.headers)

    return run_async(run())


class Sink(Protocol):
    """What takes a body, piece by piece."""

    def write(self, data: bytes, /) -> int:
        """Take a piece."""


def download_blocking(
    outbound: Outbound,
    url: str,
    rules: Rules,
    file: Sink,
    *,
    limits: Limits | None = None,
    accept: Callable[[Answer], None] = lambda _answer: None,
) -> Answer:
    """Write the body of a 200 answer to `file`. `accept` sees the headers first and may raise."""

    async def run() -> Answer:
        async with outbound.request("GET", url, rules, limits=limits) as reply:
            answer = Answer(reply.status, reply.headers)
            if reply.status != 200:
                return Answer(reply.status, reply.headers, await reply.text())
            accept(answer)
            async for chunk in reply.chunks():
                file.write(chunk)
            return answer

    return run_async(run())


def upload_blocking(
    outbound: Outbound,
    method: str,
    url: str,
    rules: Rules,
    chunks: Iterable[bytes],
    size: int,
    *,
    headers: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Answer:
    """Send exactly `size` bytes. Redirects are not followed: a body is sent once, to the address that was named."""

    async def run() -> Answer:
        body = Body(_asynchronous(chunks), size)
        async with outbound.request(method, url, rules, headers=headers, body=body, limits=limits) as reply:
            return Answer(reply.status, reply.headers, "" if reply.status < 300 else await reply.text())

    return run_async(run())


async def _asynchronous(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
