"""The records of a page whose texts are long: read and presented a few at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from ingot.kit.db import unmapped
from ingot.kit.page_links import ListCall
from ingot.kit.statements.long_texts import LongTexts, refusing_long_texts

FEW = 2  # rows that are read whatever the length of their texts

C = TypeVar("C", bound=ListCall)  # the kind of call that the application makes
R = TypeVar("R")
Present = Callable[[C, Sequence[R]], Sequence[object]]


class Rows(Protocol):
    """Rows that can be read in parts."""

    def read(self, start: int, number: int) -> Sequence[Any]:
        """Some of them, from this place on."""


class ListRows:
    """Rows that are in memory."""

    def __init__(self, rows: Sequence[object]) -> None:
        self._rows = rows

    def read(self, start: int, number: int) -> Sequence[Any]:
        """Some of them, from this place on."""
        return self._rows[start : start + number]


class Pieces:
    """Records that are made while they are iterated, as long as the call's connection is open."""

    def __init__(self, call: C, rows: Rows, present: Present[C, R], number: int) -> None:
        self._number = number

        def load(start: int, number: int) -> Sequence[object]:
            with unmapped(call.conn):
                part = rows.read(start, number)
                return present(call, part) if part else []

        self._load = load

    def __iter__(self) -> Iterator[object]:
        return self._items(0, self._number)

    def _items(self, start: int, number: int) -> Iterator[object]:
        items = self._try(start, number) if number > FEW else self._load(start, number)
        if items is not None:
            yield from items
            return
        half = number // 2
        yield from self._items(start, half)
        yield from self._items(start + half, number - half)

    def _try(self, start: int, number: int) -> Sequence[object] | None:
        try:
            with refusing_long_texts():
                return self._load(start, number)
        except LongTexts:
            return None


class LongRecord(msgspec.Struct, frozen=True):
    """A record with one long list, which is its last field."""

    fields: Mapping[str, object]
    name: str
    items: Pieces
