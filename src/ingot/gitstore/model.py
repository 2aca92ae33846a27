"""Values that git reading returns: people, commits and tree entries."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import cached_property, lru_cache

from ingot.gitstore.trailers import parse_trailers

ZERO_ID = "0" * 40
EMPTY_TREE_ID = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@dataclass(frozen=True, slots=True)
class Person:
    """Who and when; `when` keeps the offset that was recorded."""

    name: str
    email: str
    when: datetime

    @classmethod
    def now(cls, name: str, email: str) -> Person:
        return cls(name, email, datetime.now(UTC).replace(microsecond=0))


@dataclass(frozen=True)
class Commit:
    """A commit never changes, so parsed parts of its message are cached with it."""

    id: str
    tree_id: str
    parent_ids: tuple[str, ...]
    author: Person
    committer: Person
    message: str

    @property
    def short_id(self) -> str:
        return self.id[:8]

    @cached_property
    def title(self) -> str:
        return next((line.strip() for line in self.message.splitlines() if line.strip()), "")

    @property
    def body(self) -> str:
        """The message without its first paragraph's first line."""
        return self.message.strip().partition("\n")[2].strip()

    @property
    def is_merge(self) -> bool:
        return len(self.parent_ids) > 1

    @cached_property
    def trailers(self) -> dict[str, str]:
        """Last value per key."""
        return dict(parse_trailers(self.message))

    @cached_property
    def extended_trailers(self) -> dict[str, list[str]]:
        """Every value per key, in order."""
        result: dict[str, list[str]] = {}
        for key, value in parse_trailers(self.message):
            result.setdefault(key, []).append(value)
        return result


@dataclass(frozen=True, slots=True)
class TreeEntry:
    id: str
    name: str
    type: str
    """`tree`, `blob` or `commit` (a submodule)."""
    path: str
    mode: str


@dataclass(frozen=True, slots=True)
class Blob:
    id: str
    path: str
    mode: str
    size: int
    content: bytes

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


def moment(seconds: int, offset_minutes: int) -> datetime:
    """A git timestamp as a datetime; out-of-range values, which git accepts, are clamped."""
    return datetime.fromtimestamp(max(0, min(seconds, 253402214400)), _zone(offset_minutes))


@lru_cache(64)
def _zone(offset_minutes: int) -> timezone:
    return timezone(timedelta(minutes=max(-1439, min(1439, offset_minutes))))


# Codecs of Python that are charsets. Others make halves of characters, which JSON cannot carry, or take very long.
_CHARSETS = (
    "iso8859", "cp", "koi8", "euc", "shift_jis", "iso2022", "gb", "big5", "hz", "johab", "tis", "mac", "ascii", "utf-8",
)  # fmt: skip


def text(raw: bytes, encoding: str | None = None) -> str:
    """Bytes from a repository as text that JSON can carry; whoever pushed chose the name of the encoding."""
    if encoding and _is_charset(encoding):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            pass
    return raw.decode("utf-8", "replace")


@lru_cache(64)
def _is_charset(name: str) -> bool:
    try:
        return codecs.lookup(name).name.startswith(_CHARSETS)
    except (LookupError, ValueError):
        return False


def zone_minutes(zone: str) -> int:
    """`+0130` as 90."""
    if len(zone) != 5 or not zone[1:].isdigit():
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[3:])
    return -minutes if zone[0] == "-" else minutes
