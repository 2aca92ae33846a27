"""Long lists on a page: their texts are cut, so that a page stays small however much people wrote.

Only lists that are read in parts come here: their texts have 64 KB and more, or some megabytes together.
"""

from itertools import islice
from typing import Any

import msgspec

from ingot.kit.page_pieces import LongRecord, Pieces

LONGEST = 16_384  # characters of a text
ALL = 1 << 20  # of all texts; those beyond are cut to their beginning
BEGINNING = 200
MOST_ITEMS = 500  # of the list in one record
CUT = "\u2026 (truncated: the text is too long to show here)"


def cut_texts(items: Pieces | LongRecord) -> Any:
    """The items as plain data, read one after the other."""
    return _Cutter().cut(items)


class _Cutter:
    def __init__(self) -> None:
        self._left = ALL

    def cut(self, value: object) -> Any:
        if isinstance(value, LongRecord):
            return {**value.fields, value.name: [self.cut(item) for item in islice(value.items, MOST_ITEMS)]}
        if isinstance(value, Pieces):
            return [self.cut(item) for item in value]
        return self._plain(msgspec.to_builtins(value))

    def _plain(self, value: object) -> object:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {name: self._plain(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self._plain(one) for one in value]
        return value

    def _text(self, text: str) -> str:
        most = LONGEST if len(text) <= self._left else BEGINNING
        shown = text if len(text) <= most else text[:most] + CUT
        self._left -= len(shown)
        return shown
