"""The records of a page whose texts are long: read and presented a few at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from ingot.kit.db import unmapped
from ingot.kit.page_links import ListCall
from ingot.kit.statements.long_texts import LongTexts, refusing_long_texts

FEW = 2  # rows that are read whatever the length of their texts

# The call is of the kind that the application makes.
Present = Callable[[Any, Sequence[Any]], list[Any]]


class Rows(Protocol):
    """Rows that can be read in parts."""

    def read(self, start: int, number: int) -> Sequence[Any]:
        """Some of them, from this place on."""


class ListRows:
    """Rows that are in memory."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = rows

    def read(self, start: int, number: int) -> Sequence[Any]:
        """Some of them, from this place on."""
        return self._rows[start : start + number]


class Pieces:
    """Records that are made while they are iterated, as long as the call's connection is open."""

    def __init__(self, call: ListCall, rows: Rows, present: Present, number: int) -> None:
        self._call, self._rows, self._present, self._number = call, rows, present, number

    def __iter__(self) -> Iterator[Any]:
        return self._items(0, self._number)

    def _items(self, start: int, number: int) -> Iterator[Any]:
        items = self._try(start, number) if number > FEW else self._load(start, number)
        if items is not None:
            yield from items
            return
        half = number // 2
        yield from self._items(start, half)
        yield from self._items(start + half, number - half)

    def _try(self, start: int, number: int) -> list[Any] | None:
        try:
            with refusing_long_texts():
                return self._load(start, number)
        except LongTexts:
            return None

    def _load(self, start: int, number: int) -> list[Any]:
        with unmapped(self._call.conn):
            rows = self._rows.read(start, number)
            return self._present(self._call, rows) if rows else []


class LongRecord(msgspec.Struct, frozen=True):
    """A record with one long list, which is its last field."""

    fields: Mapping[str, object]
    name: str
    items: Pieces
