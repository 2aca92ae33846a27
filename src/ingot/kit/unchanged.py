"""Records as they were shown last: given again while all that they are made from is equal.

Most records of a page have not changed since it was last asked for. Comparing what was read costs a fraction of making
a record of many fields. The maker of a record must read nothing but its parts. A record that is given again has its
JSON at hand too, with the entity tag once it was an answer by itself.
"""

import hashlib
from collections.abc import Hashable
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")
MOST = 250  # of each kind, with some 10 KB each
LONGEST = 4_000  # characters of the longest text of a record

_encode = msgspec.json.Encoder().encode


class _Text:
    """The JSON of a record that was given again."""

    __slots__ = ("json", "record", "tag")

    def __init__(self, record: object) -> None:
        self.record = record  # held, so that its identity is nobody else's
        self.json: bytes = _encode(record)
        self.tag: str | None = None


_texts: dict[int, _Text] = {}  # by the identity of the record


class Unchanged(Generic[T]):
    """Records of one kind, shared by the threads of a process; none may be changed after it was shown."""

    def __init__(self, *, are_parts: bool = False) -> None:
        self._are_parts = are_parts  # of other records: their own JSON is not asked for
        self._known: dict[Hashable, tuple[tuple[object, ...], T]] = {}

    def find(self, key: Hashable, parts: tuple[object, ...]) -> T | None:
        """The record that was made from these parts."""
        known = self._known.get(key)
        if known is None or known[0] != parts:
            return None
        record = known[1]
        if not self._are_parts and id(record) not in _texts:
            if len(_texts) >= MOST:
                _texts.clear()
            _texts[id(record)] = _Text(record)
        return record

    def keep(self, key: Hashable, parts: tuple[object, ...], record: T, text: str | None) -> T:
        """Remember a record, unless its text is long."""
        if text is None or len(text) <= LONGEST:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = parts, record
        return record


def json_of(record: object) -> bytes:
    """The JSON of a record, which was made before if the record is one that is given again."""
    known = _texts.get(id(record))
    return known.json if known is not None and known.record is record else _encode(record)


def tagged_json_of(record: object) -> tuple[bytes, str]:
    """The JSON of a record that is a whole answer, with its entity tag."""
    known = _texts.get(id(record))
    if known is None or known.record is not record:
        content = _encode(record)
        return content, tag_of(hashlib.md5(content, usedforsecurity=False).hexdigest())
    if known.tag is None:
        known.tag = tag_of(hashlib.md5(known.json, usedforsecurity=False).hexdigest())
    return known.json, known.tag


def tag_of(digest: str) -> str:
    """The weak entity tag of a body with this digest."""
    return f'W/"{digest}"'
