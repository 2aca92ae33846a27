"""Rows as typed records, for passing between functions."""

from typing import Protocol


class ForkRow(Protocol):
    """A project and the one that it was forked from."""

    id: int
    forked_from_id: int | None
