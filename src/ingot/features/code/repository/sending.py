"""Sending blobs: small ones at once, large ones streamed without holding a thread for the length of the transfer."""

from collections.abc import AsyncIterator, Iterator

from starlette.responses import Response, StreamingResponse

from ingot.access.call import Call
from ingot.features.code.lfs_objects import LfsObjectRow
from ingot.gitstore import Repository, objects
from ingot.kit.blobs import BlobMissing
from ingot.kit.errors import NotFound
from ingot.kit.ready_response import ReadyResponse, encoded

AT_ONCE = 1024 * 1024
# Raw files are revalidated each time: the right to read them may have ended.
_UNCACHED = {
    "Cache-Control": "max-age=0, private, must-revalidate, no-store, no-cache",
    "Expires": "Fri, 01 Jan 1990 00:00:00 GMT",
}
TOO_LARGE = "The file is larger than 10 MB. Read its bytes with the raw form of this address."


def content_type(_name: str) -> str:
    """Raw files are never more than text, so that no browser runs what somebody committed."""
    return "text/plain"


def send_blob(
    call: Call,
    repository: Repository,
    blob_id: str,
    media_type: str,
    headers: dict[str, str],
    content: bytes | None = None,
) -> Response:
    """The bytes of a blob, which may be read already. For handlers in a thread; large ones leave it after a chunk."""
    size = objects.blob_size(repository, blob_id) if content is None else len(content)
    if size is None:
        raise NotFound("Blob")
    headers = {**headers, **_UNCACHED}
    if call.request.method == "HEAD":
        return Response(headers={**headers, "Content-Length": str(size)}, media_type=media_type)
    if size <= AT_ONCE:
        content = objects.read_blob(repository, blob_id) if content is None else content
        kind = f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
        return ReadyResponse(content, 200, encoded({**headers, "Content-Type": kind}))
    chunks = objects.stream_blob(repository, blob_id)
    first = next(chunks, b"")  # read here, so that an early fault has its own status
    headers["Content-Length"] = str(size)
    return StreamingResponse(_read_chunks(call, first, chunks), headers=headers, media_type=media_type)


def send_large_file(call: Call, row: LfsObjectRow, media_type: str, headers: dict[str, str]) -> Response:
    """An object of Git LFS, from the store."""
    headers = {**headers, "Content-Length": str(row.size), **_UNCACHED}
    if call.request.method == "HEAD":
        return Response(headers=headers, media_type=media_type)
    chunks = call.services.blobs.chunks(row.blob_key)
    try:
        first = next(chunks, b"")
    except BlobMissing:
        raise NotFound("File") from None
    return StreamingResponse(_read_chunks(call, first, chunks), headers=headers, media_type=media_type)


async def send_chunks(call: Call, chunks: Iterator[bytes], media_type: str, headers: dict[str, str]) -> Response:
    """Stream the output of git. The first chunk is awaited read here, so that an early fault has its own status."""
    first = await call.run(next, chunks, b"")
    return StreamingResponse(_read_chunks(call, first, chunks), headers=headers, media_type=media_type)


async def _read_chunks(call: Call, first: bytes, chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Each chunk is fetched in a thread; between chunks no thread is held."""
    try:
        yield first
        while (chunk := await call.run(next, chunks, None)) is not None:
            yield chunk
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            await call.run(close)
