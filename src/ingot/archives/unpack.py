"""Unpacks untrusted archives: no links, no devices, no paths outside, no more bytes than allowed.

Everything is streamed: gzip bytes are counted while they are inflated, and the first one too many ends it.
"""

import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

import msgspec
from isal import igzip, isal_zlib

from ingot.archives.members import Member, MemberRefused

SIZE_FAILED = "Decompressed archive size validation failed."
HARD_LINK = "File shares hard link"
CHUNK = 1024 * 1024
BROKEN = cast("type[Exception]", isal_zlib.error)  # the library ships no types
LONGEST_PATH = 1024  # the system takes 4,096, the folder of the work included
DRIVE = 2  # `C:` and its kind


class ArchiveRefused(Exception):
    """The archive cannot be used; the text is shown to its owner."""


class Limits(msgspec.Struct, frozen=True):
    """How much an archive may unpack to; 0 means no limit."""

    bytes: int = 25_600 * 1024 * 1024
    seconds: float = 210.0
    entries: int = 250_000


class Unpacked(msgspec.Struct, frozen=True):
    """The unpacked archive."""

    folder: Path
    entries: int
    bytes: int


class _Inflated:
    """The tar inside the gzip, counting what comes out."""

    def __init__(self, source: IO[bytes], limits: Limits, beat: Callable[[], None]) -> None:
        self._source = cast("IO[bytes]", igzip.open(source, "rb"))  # type: ignore[no-untyped-call]
        self._limits = limits
        self._beat = beat
        self._end = time.monotonic() + limits.seconds if limits.seconds else None
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes; too many or too slow ends the unpacking."""
        self._beat()
        try:
            data = self._source.read(min(size, CHUNK) if size >= 0 else CHUNK)
        except (OSError, EOFError, BROKEN) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # the disk's fault, not the archive's
            raise ArchiveRefused(SIZE_FAILED) from None
        self.count += len(data)
        if self._limits.bytes and self.count > self._limits.bytes:
            raise ArchiveRefused(SIZE_FAILED)
        if self._end is not None and time.monotonic() > self._end:
            raise ArchiveRefused(SIZE_FAILED)
        return data


def unpack(
    file: IO[bytes], folder: Path, limits: Limits | None = None, beat: Callable[[], None] = lambda: None
) -> Unpacked:
    """Unpack into a fresh folder; only plain files and folders appear there. `beat` is called often, and may end it."""
    limits = limits or Limits()
    inflated = _Inflated(file, limits, beat)
    folder.mkdir(parents=True, mode=0o700)
    entries = 0
    try:
        with tarfile.open(fileobj=cast("IO[bytes]", inflated), mode="r|", tarinfo=Member) as tar:
            for member in _members(tar):
                entries += 1
                if limits.entries and entries > limits.entries:
                    raise ArchiveRefused("The archive has too many entries")
                _place(tar, member, folder)
    except MemberRefused as refused:
        raise ArchiveRefused(str(refused)) from None
    except (tarfile.TarError, EOFError, UnicodeError, ValueError, OverflowError, RecursionError) as error:
        raise ArchiveRefused("The archive is damaged or is no tar archive") from error
    while inflated.read():  # what follows the tar counts too
        pass
    return Unpacked(folder, entries, inflated.count)


def _members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    while (member := tar.next()) is not None:
        yield member
        tar.members = []  # type: ignore[attr-defined] # a long archive must not be held in memory by its index


def clean_name(name: str) -> str | None:
    """The entry's path inside the folder: `None` for the folder itself; raises for paths that lead elsewhere."""
    if "\x00" in name or "\\" in name or name[1:DRIVE] == ":":
        raise ArchiveRefused("The archive has an entry with a forbidden name")
    if name.startswith("/"):
        raise ArchiveRefused("The archive has an entry with an absolute path")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ArchiveRefused("The archive has an entry that leads outside")
    if len(name.encode()) > LONGEST_PATH or any(len(part.encode()) > 255 for part in parts) or len(parts) > 64:
        raise ArchiveRefused("The archive has an entry with a name that is too long")
    return "/".join(parts) or None


def _place(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    name = clean_name(member.name)
    if member.size < 0:
        raise ArchiveRefused("The archive has an entry of a negative size")
    if member.islnk():
        raise ArchiveRefused(HARD_LINK)
    if name is None or not (member.isreg() or member.isdir()):
        return  # symbolic links, pipes and devices are left out
    target = folder / name
    if member.isdir():
        _make_folder(target)
        return
    _make_folder(target.parent)
    if target.exists():
        raise ArchiveRefused("The archive has two entries of the same name")
    source = tar.extractfile(member)
    if source is None:
        return
    with target.open("xb") as out:
        out_left = member.size
        while out_left > 0 and (data := source.read(min(CHUNK, out_left))):
            out.write(data)
            out_left -= len(data)
    if out_left > 0:
        raise ArchiveRefused("The archive ends in the middle of a file")
    target.chmod(0o600)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (FileExistsError, NotADirectoryError):
        raise ArchiveRefused("The archive uses one name for a file and a folder") from None
