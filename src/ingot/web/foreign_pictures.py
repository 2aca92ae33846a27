"""Pictures of other servers on our pages: fetched by us, kept for a day, and given out as our own.

The other server learns nothing of who looks: no address, cookie or page. Only addresses that a page of ours was made
with are fetched (`texts.pictures`), only pictures of dots are given out, and whoever looks has a budget of fetches.
"""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache, partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from ingot.features.people.user_pages import identify_reader
from ingot.instance.outbound import listed_rules
from ingot.instance.throttling import address_name, user_name
from ingot.kit.blobs import BlobMissing, StoreFull, StoreUnavailable, passing
from ingot.kit.clock import now
from ingot.kit.downloads import etag_matches
from ingot.kit.errors import NotFound
from ingot.kit.outbound import Limits, Outbound, OutboundFailed, UrlRefused, download_blocking
from ingot.kit.places import NoPlace, Places
from ingot.kit.rate_counts import beginning
from ingot.kit.rate_windows import add, observed
from ingot.kit.services import CALLS_OUT, Services
from ingot.web.call import PageCall
from ingot.web.texts.pictures import BASE, picture_address, url_at

LIMIT = 5 * 1024 * 1024
KEPT, AFTER_FAILURE = passing.LONGEST, timedelta(minutes=10)
PER_CALLER, PERIOD = 120, 600  # fetches, in so many seconds
KEPT_A_DAY, DAY = 2 * 1024**3, 86400  # bytes that all callers together make us keep
SHARES = 16  # of what is left, one caller may use this part: nobody uses it up for the others
KEPT_BYTES = "pictures:bytes"
REDIRECTS = 3
FOLDER = f"{passing.PREFIX}pictures/"
# By the first bytes: the sent type may be anything, and a drawing (SVG) or page can hold scripts.
FORMATS = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftypavis", "image/avif"),
)
HEAD = 12
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Content-Disposition": "inline",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
GONE = "This image cannot be shown. Its server did not provide it, or the format is not supported."
BUSY = "Too many external images were requested. Reload the page in a moment."


class _NoPicture(Exception):
    """The other server has none that could be shown."""


class _TooMany(Exception):
    """The caller made us fetch too much."""


@lru_cache(maxsize=8)
def _derived(secret: str) -> str:
    return hmac.new(secret.encode(), b"foreign pictures", hashlib.sha256).hexdigest()


def picture_key(services: Services) -> str:
    """The key for addresses of pictures; it opens nothing else."""
    return _derived(services.secret_key)


def shown_from(call: PageCall, url: str | None) -> str | None:
    """The address of a picture for a page; None where it can only be named."""
    return picture_address(picture_key(call.services), call.base_url, url) if url else None


def media_type(head: bytes) -> str | None:
    """The kind of picture by its first bytes, or None."""
    if head[8:12] == b"WEBP" and not head.startswith(b"RIFF"):
        return None
    return next((media for start, mark, media in FORMATS if head.startswith(mark, start)), None)


class ForeignPictures:
    """Answers the addresses of pictures. Belongs to one event loop."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._places = Places(CALLS_OUT, CALLS_OUT // 2, 20.0, line=32)
        self._fetches: dict[str, asyncio.Task[bytes]] = {}

    async def respond(self, request: Request) -> Response:
        """The picture; from the store where it is kept, else from its server."""
        mac, _, hexed = request.url.path.removeprefix(BASE).partition("/")
        url = url_at(picture_key(self._services), mac, hexed)
        if url is None or request.method not in ("GET", "HEAD"):
            raise NotFound
        try:
            stored = await self._find(request, _key(url))
            if stored is not None:
                return stored
            content = await self._fetch(request, url)
            # From the store, if it is there: many slow readers must not hold as many whole pictures in memory.
            return await self._find(request, _key(url)) or _whole(content)
        except _NoPicture:
            return PlainTextResponse(GONE, 404, {**HEADERS, "Cache-Control": "private, max-age=60"})
        except (_TooMany, NoPlace):
            return PlainTextResponse(BUSY, 429, {**HEADERS, "Cache-Control": "no-store", "Retry-After": "60"})

    async def _find(self, request: Request, key: str) -> Response | None:
        """What is kept; None where it has to be fetched."""
        blobs = self._services.blobs
        try:
            info = await blobs.head_async(key)
            left = (KEPT if info.size else AFTER_FAILURE) - (now() - info.modified)
            if left <= timedelta():
                return None
            if not info.size:
                raise _NoPicture
            headers = _headers(left, info.modified)
            if etag_matches(request.headers.get("if-none-match", ""), headers["ETag"]):
                return Response(status_code=304, headers=headers)
            blob = await blobs.open(key)
        except BlobMissing:
            return None
        info, pieces = blob.info, blob.chunks  # it may have been fetched anew meanwhile
        first = await anext(pieces, b"")
        if not first:
            raise _NoPicture
        headers |= {"Content-Type": media_type(first) or "application/octet-stream", "Content-Length": str(info.size)}
        return StreamingResponse(_rest(first, pieces), headers=headers)

    async def _fetch(self, request: Request, url: str) -> bytes:
        """Whoever asks while it is being fetched gets the same."""
        task = self._fetches.get(url)
        if task is None:
            caller = await self._services.pools.run(lambda: self._caller(request), wide=True)
            task = self._fetches.get(url) or asyncio.create_task(self._fetch_once(url, caller))
            self._fetches[url] = task
            task.add_done_callback(partial(self._forget, url))
        return await asyncio.shield(task)

    def _forget(self, url: str, task: asyncio.Task[bytes]) -> None:
        self._fetches.pop(url, None)
        if not task.cancelled():
            task.exception()  # seen, also where everybody has left

    async def _fetch_once(self, url: str, caller: str) -> bytes:
        async with self._places.place(caller):
            return await self._services.pools.run_outside(lambda: self._fetch_and_keep(url, caller))

    def _caller(self, request: Request) -> str:
        with self._services.db.read() as conn:
            actor = identify_reader(self._services, conn, request)
        return address_name(request) if actor.user_id is None else user_name(actor.user_id)

    def _fetch_and_keep(self, url: str, caller: str) -> bytes:
        services = self._services
        # Somebody else's fetch may have ended since this caller looked.
        if (known := self._kept(url)) is not None:
            return known
        tell = partial(add, services.db)
        if services.rate_counts.hit(tell, f"pictures:{caller}"[:200], PERIOD, PER_CALLER).observed > PER_CALLER:
            raise _TooMany
        with services.db.read() as conn:
            rules = listed_rules(conn, ("https", "http"))
        picture = _Picture()
        try:
            answer = download_blocking(services.outbound or Outbound(), url, rules, picture, limits=_limits(services))
            content = bytes(picture.content) if answer.status == 200 else b""
        except (UrlRefused, OutboundFailed, _NoPicture):
            content = b""
        if not media_type(content[:HEAD]):
            content = b""
        self._keep(url, content, caller)
        if not content:
            raise _NoPicture
        return content

    def _kept(self, url: str) -> bytes | None:
        """The picture, where it is in the store by now."""
        blobs, key = self._services.blobs, _key(url)
        with suppress(BlobMissing, StoreUnavailable):
            info = blobs.head(key)
            if info.size and now() - info.modified < KEPT:
                return blobs.read(key)
        return None

    def _keep(self, url: str, content: bytes, caller: str) -> None:
        """A failure is kept too, as an empty object: a dead server is not asked for each view."""
        if not content or self._takes_room(len(content), f"{KEPT_BYTES}:{caller}"[:200]):
            with suppress(StoreFull, StoreUnavailable):
                self._services.blobs.put(_key(url), content)

    def _takes_room(self, size: int, own_key: str) -> bool:
        """Whether the caller's share has room for so many bytes, which are counted then."""
        db = self._services.db
        with db.read() as conn:
            left = KEPT_A_DAY - observed(conn, KEPT_BYTES, DAY)
            own = observed(conn, own_key, DAY)
        if own + size > left // SHARES:
            return False
        for key in (KEPT_BYTES, own_key):
            add(db, key, beginning(DAY), DAY, size)
        return True


class _Picture:
    """Takes a picture, and nothing else."""

    def __init__(self) -> None:
        self.content = bytearray()

    def write(self, data: bytes, /) -> int:
        """Take a piece; raises as soon as it is clear that it is no picture."""
        self.content += data
        if len(self.content) >= HEAD and media_type(bytes(self.content[:HEAD])) is None:
            raise _NoPicture
        return len(data)


def _limits(services: Services) -> Limits:
    seconds = services.settings.webhook_timeout
    return Limits(total=seconds, connect=seconds, read=seconds, redirects=REDIRECTS, reply_bytes=LIMIT)


def _key(url: str) -> str:
    return f"{FOLDER}{hashlib.sha256(url.encode()).hexdigest()}"


def _headers(left: timedelta, modified: datetime) -> dict[str, str]:
    # Not longer than it is kept here: a changed picture is seen within a day.
    age = f"public, max-age={max(60, int(left.total_seconds()))}"
    return {**HEADERS, "Cache-Control": age, "ETag": f'"{int(modified.timestamp())}"'}


def _whole(content: bytes) -> Response:
    headers = _headers(KEPT, now())
    del headers["ETag"]  # that of the stored one
    return Response(content, media_type=media_type(content[:HEAD]), headers=headers)


async def _rest(first: bytes, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in pieces:
        yield piece
