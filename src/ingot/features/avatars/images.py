"""What a picture must be: small, and of a format that browsers only ever draw."""

import re
from pathlib import PurePosixPath

from ingot.kit.params import UploadedFile

LIMIT = 200 * 1024
TOO_BIG = "is too big (should be at most 200 KiB)"

# By first bytes, not by what the sender says: an SVG or HTML file under a picture's name could run scripts.
_FORMATS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"BM"), "image/bmp"),
    (re.compile(rb"(?:II\*\x00|MM\x00\*)"), "image/tiff"),
    (re.compile(rb"\x00\x00\x01\x00"), "image/vnd.microsoft.icon"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "image/webp"),
)
UNSUPPORTED = (
    "file format is not supported. Please try one of the following supported formats: "
    f"{', '.join(media for _, media in _FORMATS)}"
)


def media_type(head: bytes) -> str | None:
    """The format by the first bytes of a file, or None for one that is no picture."""
    return next((media for pattern, media in _FORMATS if pattern.match(head)), None)


def avatar_problems(upload: UploadedFile | None) -> list[str]:
    """What is wrong with an uploaded picture; empty when nothing is."""
    if upload is None:
        return []
    if upload.size > LIMIT:
        return [TOO_BIG]
    upload.file.seek(0)
    head = upload.file.read(16)
    upload.file.seek(0)
    return [] if media_type(head) is not None else [UNSUPPORTED]


def safe_name(filename: str) -> str:
    """The file name as it may appear in a key and an address."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", PurePosixPath(filename.replace("\\", "/")).name).strip("._")
    return plain[-100:] or "avatar"
