"""Serves files: pictures are shown, everything else is downloaded, nothing is run."""

from starlette.requests import Request
from starlette.responses import Response

from ingot.features.transfer.uploads.rows import UploadRow
from ingot.kit.downloads import StoredFile, serve
from ingot.kit.services import Services

# In case a browser shows it as a page.
STILL = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}


def stored_file(upload: UploadRow, *, inline: bool) -> StoredFile:
    """How a file is shown to a client."""
    return StoredFile(
        key=upload.blob_key,
        size=upload.size,
        filename=upload.filename,
        media_type=upload.media_type,
        digest=upload.blob_key.rsplit("/", 1)[-1],  # an object never changes
        modified=upload.created_at,
        inline=inline and upload.media_type.startswith("image/"),
    )


async def serve_upload(services: Services, request: Request, upload: UploadRow) -> Response:
    """The file or a part of it, from here; what a browser may do with it is for the caller to say."""
    return await serve(services, request, stored_file(upload, inline=True), direct=False)


async def give(services: Services, request: Request, upload: UploadRow, *, inline: bool) -> Response:
    """The file, a part of it, or a redirect to the store."""
    response = await serve(services, request, stored_file(upload, inline=inline))
    response.headers.update(STILL)
    return response
