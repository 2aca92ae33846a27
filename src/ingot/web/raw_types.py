"""What a file of users is sent as: pictures are shown, other bytes are saved, everything else is plain text.

A picture is one by its name. Nothing runs that is no picture: browsers are told not to guess, and to lock the file in.
"""

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ingot.features.ci.job_artifacts import content_type_by_name
from ingot.kit.downloads import attachment

_PICTURES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
    ".ico": "image/x-icon", ".bmp": "image/bmp", ".avif": "image/avif",
}  # fmt: skip
_SAVED = ("audio/", "video/", "font/", "application/pdf", "application/zip", "application/gzip", "application/x-tar")
_LOOKED_AT = 8000
_TEXTS = ("text/", "application/json", "application/xml", "application/javascript", "image/svg+xml")
_ENDINGS_OF_TEXTS = (".log", ".md", ".yml", ".yaml", ".toml", ".ini", ".ndjson")
# Drawings may have styles of their own. They have them as pictures only: opened alone, a drawing is a text.
_DRAWING = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def as_what_it_is(request: Request, name: str, response: Response) -> Response:
    """The raw form of a file, which the API sends as text, as a browser can use it."""
    ending = name[name.rfind(".") :].lower()
    if ending == ".svg":
        if request.headers.get("sec-fetch-dest") == "image":
            response.headers["Content-Type"] = "image/svg+xml"
            response.headers["Content-Security-Policy"] = _DRAWING
    elif ending in _PICTURES:
        response.headers["Content-Type"] = _PICTURES[ending]
    elif _is_saved(name, response):
        response.headers["Content-Type"] = "application/octet-stream"
        response.headers["Content-Disposition"] = attachment(name)
    return response


def headers_to_show(name: str) -> dict[str, str]:
    """Headers with which a browser shows a file that the API would let it save: pictures and texts, by their names."""
    ending = name[name.rfind(".") :].lower()
    if ending in _PICTURES:
        return {"Content-Type": _PICTURES[ending], "Content-Disposition": "inline"}
    if ending in _ENDINGS_OF_TEXTS or content_type_by_name(name).startswith(_TEXTS):
        return {"Content-Type": "text/plain; charset=utf-8", "Content-Disposition": "inline"}
    return {}


def _is_saved(name: str, response: Response) -> bool:
    first = b"" if isinstance(response, StreamingResponse) else bytes(response.body[:_LOOKED_AT])
    return b"\0" in first or content_type_by_name(name).startswith(_SAVED)
