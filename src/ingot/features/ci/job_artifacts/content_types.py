"""The content type of one file: by its name, or by its first bytes."""

import mimetypes
from functools import cache

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"%PDF-", "application/pdf"),
    (b"\x1f\x8b\x08", "application/x-gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"OggS\x00", "application/ogg"),
    (b"\x00asm", "application/wasm"),
)
_SNIFFED = 512
TEXT = "text/plain; charset=utf-8"
BINARY = "application/octet-stream"


@cache
def _known() -> mimetypes.MimeTypes:
    """The built-in table, the same on every machine. Made late, because the library then reads the machine's too."""
    return mimetypes.MimeTypes(filenames=())


def by_name(name: str) -> str:
    """From the extension."""
    result, packing = _known().guess_type(name, strict=True)
    if packing is not None:
        return {"gzip": "application/gzip", "bzip2": "application/x-bzip2", "xz": "application/x-xz"}.get(
            packing, BINARY
        )
    if result is None:
        return BINARY
    return f"{result}; charset=utf-8" if result.startswith("text/") else result


def by_content(first: bytes) -> str:
    """From the bytes: pictures keep their type, all kinds of text become plain text, the rest is binary."""
    head = first[:_SNIFFED]
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if any(byte < 0x20 and byte not in b"\t\n\x0c\r\x1b" for byte in head):
        return BINARY
    start = head.lstrip()[:256].lower()
    if start.startswith(b"<svg") or (start.startswith(b"<?xml") and b"<svg" in first[:4096].lower()):
        return "image/svg+xml"
    return TEXT
