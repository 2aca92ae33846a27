"""Reads `git diff-tree --raw -p -z` as it streams into one record per file, keeping only the text the limits allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ingot.gitstore.errors import OutputTooLarge
from ingot.gitstore.generated import is_generated
from ingot.gitstore.model import text

_START = b"\ndiff --git "
_PIECE = 1 << 18  # far longer than any header
UNCUT = 16 << 20
"""Bytes of a diff, and of its list of files, that are read where nothing may be left out."""


class DiffLimits(msgspec.Struct, frozen=True):
    """Beyond the `max_` values text or files are left out; beyond the `safe_` values files come collapsed."""

    max_files: int = 3000
    max_lines: int = 100_000
    max_bytes: int = 15_360_000
    max_patch_bytes: int = 204_800
    safe_files: int = 100
    safe_lines: int = 5000
    safe_bytes: int = 512_000
    collapse: bool = False


class FileDiff(msgspec.Struct, frozen=True):
    old_path: str
    new_path: str
    a_mode: str
    b_mode: str
    old_id: str
    new_id: str
    new_file: bool
    renamed_file: bool
    deleted_file: bool
    generated_file: bool
    diff: str
    """The hunks, without header lines; empty when collapsed, too large, or without a change of content."""
    collapsed: bool
    too_large: bool
    additions: int
    deletions: int
    binary: bool

    @property
    def unidiff(self) -> str:
        """The hunks below `---` and `+++` lines."""
        if not self.diff or self.binary:
            return self.diff
        old = "/dev/null" if self.new_file else f"a/{self.old_path}"
        new = "/dev/null" if self.deleted_file else f"b/{self.new_path}"
        return f"--- {old}\n+++ {new}\n{self.diff}"


class _Raw(msgspec.Struct):
    a_mode: str
    b_mode: str
    old_id: str
    new_id: str
    status: str
    old_path: bytes
    new_path: bytes


class _Section:
    """The patch text of one file. It is fed in pieces; the first one holds the whole header."""

    def __init__(self, keep: int) -> None:
        self.keep = keep
        self.body: list[bytes] = []
        self.size = self.additions = self.deletions = self.lines = 0
        self.in_body = self.binary = self.cut = False
        self.at_line_start = True

    def add(self, piece: bytes) -> None:
        if not self.in_body:
            piece = self._without_header(piece)
        if not piece:
            return
        if not self.binary:
            self.additions += piece.count(b"\n+") + (self.at_line_start and piece.startswith(b"+"))
            self.deletions += piece.count(b"\n-") + (self.at_line_start and piece.startswith(b"-"))
        self.at_line_start = piece.endswith(b"\n")
        self.lines += piece.count(b"\n")
        self.size += len(piece)
        if self.size > self.keep:
            self.cut = True
            self.body.clear()
        else:
            self.body.append(piece)

    def _without_header(self, piece: bytes) -> bytes:
        self.in_body = True
        for mark in (b"\n@@ ", b"\nBinary files "):
            start = piece.find(mark)
            if start >= 0:
                self.binary = mark != b"\n@@ "
                return piece[start + 1 :]
        return b""


class DiffReader:
    def __init__(self, limits: DiffLimits | None) -> None:
        self.limits = limits
        self.overflow = False
        self._files = self._lines = self._bytes = 0

    def read(self, chunks: Iterable[bytes]) -> Iterator[FileDiff]:
        """Records in git's order. Stops, with `overflow` set, at the limits on the whole diff."""
        source = iter(chunks)
        raws, rest = _read_raw(source, None if self.limits is None else self.limits.max_files + 1)
        sections = self._sections(rest, source)
        for raw in raws:
            if self._is_full():
                self.overflow = True
                return
            section = next(sections, None) or _Section(0)
            if raw.status == "T":  # git writes a change of type as a deletion and a creation
                section = _joined(section, next(sections, None))
            yield self._record(raw, section)

    def _sections(self, rest: bytes, source: Iterator[bytes]) -> Iterator[_Section]:
        # Inside a patch every content line starts with a blank, plus, minus or backslash, so this starts a file.
        keep = self.limits.max_patch_bytes if self.limits else UNCUT
        buffer, section = bytearray(rest), _Section(keep)
        for chunk in source:
            buffer += chunk
            while (end := buffer.find(_START)) >= 0:
                section.add(bytes(buffer[: end + 1]))
                del buffer[: end + 1]
                yield section
                section = _Section(keep)
            if len(buffer) > _PIECE:
                # A line may be as long as the whole file: then it goes on in the next piece.
                cut = buffer.rfind(b"\n", 0, len(buffer) - len(_START)) + 1 or len(buffer) - len(_START)
                section.add(bytes(buffer[:cut]))
                del buffer[:cut]
        while (end := buffer.find(_START)) >= 0:
            section.add(bytes(buffer[: end + 1]))
            del buffer[: end + 1]
            yield section
            section = _Section(keep)
        if buffer or section.in_body:
            section.add(bytes(buffer))
            yield section

    def _is_full(self) -> bool:
        limits = self.limits
        return limits is not None and (
            self._files >= limits.max_files or self._lines >= limits.max_lines or self._bytes >= limits.max_bytes
        )

    def _record(self, raw: _Raw, section: _Section) -> FileDiff:
        self._files += 1
        # Text that is left out does not count against the others; the bytes read for it do, up to its own limit.
        self._lines += 0 if section.cut else section.lines
        self._bytes += min(section.size, section.keep)
        if self.limits is None and (section.cut or self._bytes > UNCUT):
            raise OutputTooLarge
        too_large, collapsed = section.cut, False
        if self.limits and self.limits.collapse and not too_large:
            collapsed = (
                self._files > self.limits.safe_files
                or self._lines > self.limits.safe_lines
                or self._bytes > self.limits.safe_bytes
            )
        new_path = text(raw.new_path)
        return FileDiff(
            old_path=text(raw.old_path),
            new_path=new_path,
            a_mode="0" if raw.a_mode == "000000" else raw.a_mode,
            b_mode="0" if raw.b_mode == "000000" else raw.b_mode,
            old_id=raw.old_id,
            new_id=raw.new_id,
            new_file=raw.status == "A",
            renamed_file=raw.status == "R",
            deleted_file=raw.status == "D",
            generated_file=is_generated(new_path),
            diff="" if collapsed or too_large else text(b"".join(section.body)),
            collapsed=collapsed,
            too_large=too_large,
            additions=section.additions,
            deletions=section.deletions,
            binary=section.binary,
        )


def _joined(first: _Section, second: _Section | None) -> _Section:
    if second is not None:
        first.body += second.body
        first.size += second.size
        first.lines += second.lines
        first.additions += second.additions
        first.deletions += second.deletions
        first.cut = first.cut or second.cut
    return first


def _read_raw(source: Iterator[bytes], most: int | None) -> tuple[list[_Raw], bytes]:
    """The NUL-separated records before the patch, which an empty field ends, and the bytes behind them.

    Records beyond the first `most` are skipped; without `most` there may be so many bytes.
    """
    buffer, skipped = bytearray(), bytearray()
    for chunk in source:
        block = skipped or buffer
        searched = max(0, len(block) - 1)
        block += chunk
        end = block.find(b"\0\0", searched)
        if end >= 0:
            rest = bytes(block[end + 2 :])
            del block[end:]
            return _parse_raw(bytes(buffer), most), rest
        if len(buffer) > UNCUT:
            if most is None:
                raise OutputTooLarge
            skipped = block[-1:]
    return _parse_raw(bytes(buffer.rstrip(b"\0")), most), b""


def _parse_raw(block: bytes, most: int | None) -> list[_Raw]:
    fields = iter(block.split(b"\0"))
    result: list[_Raw] = []
    for meta in fields:
        if not meta:
            continue
        if most is not None and len(result) >= most:
            break
        a_mode, b_mode, old_id, new_id, status = meta.decode("ascii").lstrip(":").split(" ")
        old_path = new_path = next(fields)
        if status[0] in "RC":
            new_path = next(fields)
        result.append(_Raw(a_mode, b_mode, old_id, new_id, status[0], old_path, new_path))
    return result
