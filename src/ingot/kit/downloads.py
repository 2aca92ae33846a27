"""Serving a stored object as a file: conditional, in parts, or by a redirect to the store.

Without copying or blocking a thread.
"""

import hashlib
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from urllib.parse import quote

import msgspec
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from ingot.kit.blobs import BlobMissing
from ingot.kit.call import Call
from ingot.kit.errors import ApiError, NotFound
from ingot.kit.patterns import ALPHANUMERIC, pattern
from ingot.kit.services import Services

_RANGE = pattern(r"bytes=(\d*)-(\d*)", ignore_case=True)
_PLAIN = frozenset(f"{ALPHANUMERIC}._-")
_UNSAFE = pattern(r'[^\x20-\x7e]|["\\%]')


class RangeNotSatisfiable(ApiError):
    """416 Range Not Satisfiable"""

    status = 416


class StoredFile(msgspec.Struct, frozen=True, kw_only=True):
    """An object and how it is shown to a client."""

    key: str
    size: int
    filename: str
    media_type: str = "application/octet-stream"
    digest: str | None = None  # makes the entity tag
    modified: datetime | None = None
    inline: bool = False  # browsers may show it


def attachment(filename: str, *, inline: bool = False, short: bool = False) -> str:
    """The `Content-Disposition` of a download, readable by old clients and exact for new ones.

    `short` leaves the exact name out where the readable one says the same.
    """
    is_plain = _PLAIN.issuperset(filename)
    plain = filename if is_plain else _UNSAFE.sub("_", filename)
    if short and plain == filename:
        return f'{"inline" if inline else "attachment"}; filename="{plain}"'
    exact = filename if is_plain else quote(filename, safe="")
    return f"{'inline' if inline else 'attachment'}; filename=\"{plain}\"; filename*=UTF-8''{exact}"


def etag_matches(header: str, etag: str) -> bool:
    """One of the client's tags (`If-None-Match`) equals this one."""
    return header.strip() == "*" or etag in {part.strip().removeprefix("W/") for part in header.split(",")}


def tag_of_ids(*ids: str) -> str:
    """The entity tag of what follows from these and nothing else; to be sent as a weak one."""
    digest = hashlib.blake2b("\0".join(ids).encode("utf-8", "surrogateescape"), digest_size=16)
    return f'"{digest.hexdigest()}"'


async def serve_file(call: Call, file: StoredFile, *, direct: bool = True) -> Response:
    """The answer to a call that asks for a file."""
    return await serve(call.services, call.request, file, direct=direct)


async def serve(services: Services, request: Request, file: StoredFile, *, direct: bool = True) -> Response:
    """The whole file, a part of it, its headers alone, or where the store has it."""
    etag = f'"{file.digest}"' if file.digest else None
    if etag is not None and etag_matches(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers={"ETag": etag})
    if direct and services.settings.object_redirect:
        url = services.blobs.presigned_url(file.key, method=request.method)
        if url is not None:
            return RedirectResponse(url, status_code=302, headers={"Cache-Control": "no-store"})
    headers = {
        "Content-Type": file.media_type,
        "Content-Disposition": attachment(file.filename, inline=file.inline),
        "Content-Transfer-Encoding": "binary",
        "Accept-Ranges": "bytes",
        "Cache-Control": "max-age=0, private, must-revalidate",
    }
    if etag is not None:
        headers["ETag"] = etag
    if file.modified is not None:
        headers["Last-Modified"] = format_datetime(file.modified.replace(microsecond=0), usegmt=True)
    start, end, status = _part(request.headers, file, etag)
    headers["Content-Length"] = str(end - start)
    if status == 206:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
    if request.method == "HEAD":
        return Response(status_code=status, headers=headers)
    try:
        blob = await services.blobs.open(file.key, start, end if status == 206 else None)
    except BlobMissing:
        raise NotFound from None
    return StreamingResponse(blob.chunks, status_code=status, headers=headers)


def _part(headers: Headers, file: StoredFile, etag: str | None) -> tuple[int, int, int]:
    """First byte, end, and status. Several ranges, or one for another version of the file, give the whole."""
    whole = (0, file.size, 200)
    match = _RANGE.fullmatch(headers.get("range", "").strip())
    if match is None or match.groups() == ("", ""):
        return whole
    condition = headers.get("if-range", "").strip()
    if condition and condition != etag and not _unchanged_since(condition, file.modified):
        return whole
    first, last = match.groups()
    if not first:
        start, end = max(0, file.size - int(last)), file.size
    else:
        start, end = int(first), min(file.size, int(last) + 1) if last else file.size
        if last and int(last) < int(first):
            return whole
    if start >= end:
        raise RangeNotSatisfiable(headers={"Content-Range": f"bytes */{file.size}"})
    return start, end, 206


def _unchanged_since(condition: str, modified: datetime | None) -> bool:
    try:
        return modified is not None and parsedate_to_datetime(condition) == modified.replace(microsecond=0)
    except (TypeError, ValueError, IndexError, OverflowError):
        return False
