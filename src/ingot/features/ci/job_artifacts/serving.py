"""Answers with artifacts: the archive as it was uploaded, or one file streamed out of it by one ranged read."""

import hashlib
import struct
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import PurePosixPath

from starlette.responses import PlainTextResponse, Response, StreamingResponse

from ingot.access.call import Call
from ingot.features.ci.files import EntryDecoder, ZipEntry, ZipUnreadable
from ingot.features.ci.job_artifacts.content_types import by_content, by_name
from ingot.features.ci.job_artifacts.rows import ArchiveRow
from ingot.kit.blobs import BlobMissing, BlobStore
from ingot.kit.downloads import StoredFile, attachment, etag_matches, serve_file

_LOCAL_HEADER = 30
_ROOM = 1024  # for the extra fields of an entry, whose length only its header states


async def serve_archive(call: Call, archive: ArchiveRow, *, direct: bool = True) -> Response:
    """The archive, whole or in parts; by a redirect to the store only where the client can follow one."""
    return await serve_file(
        call,
        StoredFile(
            key=archive.blob_key,
            size=archive.size,
            filename=archive.filename,
            digest=archive.sha256,
            modified=archive.created_at,
        ),
        direct=direct,
    )


def no_such_file() -> Response:
    """The one answer that is plain text: clients of GitLab get it from its front proxy."""
    return PlainTextResponse("404 page not found\n", status_code=404)


async def serve_entry(call: Call, archive: ArchiveRow, entry: ZipEntry, *, sniff: bool) -> Response:
    """One file of an archive; `sniff` finds the content type from the bytes instead of the name."""
    tag = hashlib.sha256(f"{archive.sha256}:{entry.path}".encode()).hexdigest()
    headers = {"ETag": f'"{tag}"', "Cache-Control": "max-age=0, private, must-revalidate"}
    if etag_matches(call.request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    pieces = _file_bytes(call.services.blobs, archive, entry)
    try:
        first = await anext(pieces, b"")
        is_whole = len(first) == entry.size
        if is_whole:
            await anext(pieces, b"")  # checks it to its end, before anything is sent
    except (ZipUnreadable, BlobMissing):
        return no_such_file()
    name = PurePosixPath(entry.path).name
    headers["Content-Type"] = by_content(first) if sniff else by_name(name)
    headers["Content-Disposition"] = attachment(name, short=True)
    headers["Content-Length"] = str(entry.size)
    if call.request.method == "HEAD":
        await pieces.aclose()
        return Response(headers=headers)
    if is_whole:
        return Response(first, headers=headers)
    return StreamingResponse(_joined(first, pieces), headers=headers)


async def _joined(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if first:
        yield first
    async for piece in rest:
        yield piece


async def _file_bytes(store: BlobStore, archive: ArchiveRow, entry: ZipEntry) -> AsyncGenerator[bytes, None]:
    decoder = EntryDecoder(entry)
    async for packed in _packed(store, archive, entry):
        for piece in decoder.feed(packed):
            yield piece
    for piece in decoder.finish():
        yield piece


async def _packed(store: BlobStore, archive: ArchiveRow, entry: ZipEntry) -> AsyncIterator[bytes]:
    """The packed bytes of an entry: header and content in one read, unless its extra fields are uncommonly long."""
    start = entry.header_offset
    guess = start + _LOCAL_HEADER + len(entry.path.encode("utf-8", "surrogateescape")) + _ROOM + entry.packed_size
    head, begin, at, left = b"", None, start, entry.packed_size
    blob = await store.open(archive.blob_key, start, min(guess, archive.size))
    async for chunk in blob.chunks:
        if begin is None:
            head += chunk
            content = _content_start(head)
            if content is None:
                continue
            begin, chunk = start + content, head
        piece = chunk[max(0, begin - at) :][:left]
        at += len(chunk)
        left -= len(piece)
        if piece:
            yield piece
        if not left:
            return
    if begin is None:
        raise ZipUnreadable("an entry's header is damaged")
    while left:
        blob = await store.open(archive.blob_key, begin + entry.packed_size - left, begin + entry.packed_size)
        before = left
        async for chunk in blob.chunks:
            left -= len(chunk)
            yield chunk
        if left == before:
            raise ZipUnreadable("the archive is cut off")


def _content_start(head: bytes) -> int | None:
    """Where the content begins after the local header, once enough of that is there."""
    if len(head) < _LOCAL_HEADER:
        return None
    if head[:4] != b"PK\x03\x04":
        raise ZipUnreadable("an entry's header is damaged")
    name, extra = struct.unpack_from("<2H", head, 26)
    return int(_LOCAL_HEADER + name + extra)
