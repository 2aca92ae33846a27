"""Style sheets, pictures and scripts: served as written, below a hash of their content, compressed once."""

import hashlib
import mimetypes
from functools import cache
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ingot.kit.errors import NotFound

FOLDER = Path(__file__).with_name("assets")
STYLES = Path(__file__).with_name("styles")
# The parts of `app.css`, in their order: a later one wins over an earlier one.
PARTS = (
    "colours", "base", "frame", "controls", "badges", "files", "changes", "syntax", "charts", "logs", "pipelines",
    "talk", "texts", "targets",
)  # fmt: skip
FOR_EVER = "public, max-age=31536000, immutable"


class Asset(msgspec.Struct, frozen=True):
    """One file as it is sent."""

    content: bytes
    compressed: bytes
    media_type: str
    digest: str


@cache
def load(name: str) -> Asset | None:
    """The file of this name, read once."""
    # Imported when a browser first asks: servers that only serve the API never need it. What is compressed once may be
    # compressed as far as possible.
    import gzip

    content = _read(name)
    if content is None:
        return None
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Asset(content, gzip.compress(content, 9, mtime=0), media_type, hashlib.sha256(content).hexdigest()[:16])


def _read(name: str) -> bytes | None:
    if name == "app.css":
        return b"".join((STYLES / f"{part}.css").read_bytes() for part in PARTS)
    file = FOLDER / name
    if "/" in name or name.startswith(".") or not file.is_file():
        return None
    return file.read_bytes()


def address(name: str) -> str:
    """Where pages find the file."""
    asset = load(name)
    if asset is None:
        raise LookupError(name)
    return f"/assets/{asset.digest}/{name}"


def respond(request: Request, digest: str, name: str) -> Response:
    """The file; addresses with a content hash may be cached for ever."""
    asset = load(name)
    if asset is None:
        raise NotFound
    is_current = digest == asset.digest
    headers = {"Cache-Control": FOR_EVER if is_current else "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", "") and asset.media_type.startswith(("text/", "image/svg")):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.compressed, media_type=asset.media_type, headers=headers)
    return Response(asset.content, media_type=asset.media_type, headers=headers)
