"""Requirements for avatars: small, and in an image format that browsers never run."""

from pathlib import PurePosixPath
from typing import IO

from ingot.kit.params import UploadedFile
from ingot.kit.patterns import pattern

LIMIT = 200 * 1024
TOO_BIG = "is too big (should be at most 200 KiB)"

# By first bytes, not by the sent type: an SVG or HTML file with an image's name could run scripts.
_FORMATS = (
    ((b"\x89PNG\r\n\x1a\n",), "image/png"),
    ((b"\xff\xd8\xff",), "image/jpeg"),
    ((b"GIF87a", b"GIF89a"), "image/gif"),
    ((b"BM",), "image/bmp"),
    ((b"II*\x00", b"MM\x00*"), "image/tiff"),
    ((b"\x00\x00\x01\x00",), "image/vnd.microsoft.icon"),
    ((b"RIFF    WEBP",), "image/webp"),
)
_UNSAFE = pattern(r"[^A-Za-z0-9._-]+")
UNSUPPORTED = (
    "file format is not supported. Please try one of the following supported formats: "
    f"{', '.join(media for _, media in _FORMATS)}"
)


def media_type(head: bytes) -> str | None:
    """The image format by the first bytes of a file, or None."""
    if head.startswith(b"RIFF"):  # the length of the file follows, which does not matter
        head = b"RIFF    " + head[8:]
    return next((media for starts, media in _FORMATS if head.startswith(starts)), None)


def avatar_problems(upload: UploadedFile | None) -> list[str]:
    """The problems of an uploaded image; empty when it is valid."""
    return [] if upload is None else picture_problems(upload.file, upload.size)


def picture_problems(file: IO[bytes], size: int) -> list[str]:
    """The problems of an image from any source; empty when it is valid."""
    if size > LIMIT:
        return [TOO_BIG]
    file.seek(0)
    head = file.read(16)
    file.seek(0)
    return [] if media_type(head) is not None else [UNSUPPORTED]


def safe_name(filename: str) -> str:
    """The file name as it may appear in a key and an address."""
    plain = _UNSAFE.sub("_", PurePosixPath(filename.replace("\\", "/")).name).strip("._")
    return plain[-100:] or "avatar"
