"""Positions of comments, whose form nobody checked where they came with an archive."""

import msgspec


class End(msgspec.Struct, frozen=True):
    """One end of several lines."""

    old_line: int | None = None
    new_line: int | None = None


class Ends(msgspec.Struct, frozen=True):
    """Several lines."""

    start: End | None = None


class ReadPosition(msgspec.Struct, frozen=True):
    """A position whose parts are what they should be."""

    position_type: str | None = None
    base_sha: str | None = None
    head_sha: str | None = None
    old_path: str | None = None
    new_path: str | None = None
    old_line: int | None = None
    new_line: int | None = None
    line_range: Ends | None = None

    @property
    def path(self) -> str:
        """Of the file as it is now, or as it was; empty without one."""
        return self.new_path or self.old_path or ""


def read_position(position: object) -> ReadPosition | None:
    """None where there is none, and for one that has another form or a path that git cannot be asked for."""
    try:
        read = msgspec.convert(position, type=ReadPosition | None)
    except msgspec.ValidationError:
        return None
    return read if read is None or all(map(_can_be_asked, (read.old_path, read.new_path))) else None


def _can_be_asked(path: str | None) -> bool:
    try:
        return b"\0" not in (path or "").encode()
    except UnicodeEncodeError:
        return False
