"""File names of uploads, and what follows from them."""

import unicodedata
from pathlib import PurePosixPath

from ingot.kit.patterns import pattern

MAX_BYTES = 255
_UNSAFE = pattern(r"[^\w.+-]")
_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tiff", ".ico", ".webp"}
_SOUND_AND_VIDEO = {
    ".mp4": "video/mp4", ".m4v": "video/mp4", ".mov": "video/quicktime", ".webm": "video/webm", ".ogv": "video/ogg",
    ".mp3": "audio/mpeg", ".oga": "audio/ogg", ".ogg": "audio/ogg", ".spx": "audio/ogg", ".wav": "audio/wav",
}  # fmt: skip


def safe_filename(sent: str) -> str:
    """The base name in letters, digits, dots, dashes, pluses and underscores of any script."""
    base = PurePosixPath(unicodedata.normalize("NFC", sent).replace("\\", "/")).name
    plain = _UNSAFE.sub("_", base)
    if not plain.strip("."):
        plain = f"_{plain}" if plain else "unnamed"
    return _shortened(plain)


def _shortened(name: str) -> str:
    """Shortened to the limit of file systems, keeping the suffix."""
    if len(name.encode()) <= MAX_BYTES:
        return name
    ending = PurePosixPath(name).suffix
    ending = ending if len(ending.encode()) <= 20 else ""
    room = MAX_BYTES - len(ending.encode())
    return name.encode()[:room].decode(errors="ignore") + ending


def _ending(filename: str) -> str:
    return PurePosixPath(filename).suffix.lower()


def is_embedded(filename: str) -> bool:
    """Markdown shows it in the text instead of linking to it: pictures, sound and video."""
    return _ending(filename) in _PICTURES or _ending(filename) in _SOUND_AND_VIDEO


def played_as(filename: str) -> str | None:
    """The media type of audio and video, which browsers never run."""
    return _SOUND_AND_VIDEO.get(_ending(filename))


def alternative_text(filename: str) -> str:
    """The text between the brackets."""
    name = PurePosixPath(filename).stem if is_embedded(filename) else filename
    return name.replace("]", "\\]")


def markdown_link(filename: str, url: str) -> str:
    """The Markdown link."""
    shown = is_embedded(filename) or _ending(filename) == ".svg"
    return f"{'!' if shown else ''}[{alternative_text(filename)}]({url})"
