"""What happens to a user's rows when the user is removed.

Every column that names a user says so itself: by a foreign key with `ON DELETE CASCADE` or `SET NULL`, or by one of the
two marks below as its `info`. Counts that have to be made anew afterwards are kept by a hook:

    @during_departure
    @contextmanager
    def recount(tx: Connection, leaving: Leaving) -> Iterator[None]:
        affected = ...   # the rows are still there
        yield
        ...              # the rows are gone
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, Table

from ingot.kit.db import metadata

_MARK = "departure"
GOES_TO_GHOST: dict[str, str] = {_MARK: "ghost"}  # the row stays and refers to the ghost user
OWN_WRITING: dict[str, str] = {_MARK: "writing"}  # the same, but a hard delete removes the row


class Leaving(msgspec.Struct, frozen=True):
    """Who leaves; `hard`: with everything that they wrote and own."""

    user_id: int
    is_hard: bool


Hook = Callable[[Connection, Leaving], AbstractContextManager[None]]
_hooks: list[Hook] = []


def during_departure(hook: Hook) -> Hook:
    """Register a context manager that wraps the removal of a user's rows, in the same transaction."""
    _hooks.append(hook)
    return hook


@contextmanager
def departing(tx: Connection, leaving: Leaving) -> Iterator[None]:
    """Run all hooks around the removal."""
    with ExitStack() as stack:
        for hook in _hooks:
            stack.enter_context(hook(tx, leaving))
        yield


def marked_columns() -> Iterator[tuple[Table, Column[Any]]]:
    """Every column whose rows go to the ghost user."""
    for table in metadata.sorted_tables:
        for column in table.c:
            if _MARK in column.info:
                yield table, column


def writings() -> Iterator[tuple[Table, Column[Any]]]:
    """Every column whose rows a hard delete removes; tables that refer to others come first."""
    for table in reversed(metadata.sorted_tables):
        for column in table.c:
            if column.info.get(_MARK) == OWN_WRITING[_MARK]:
                yield table, column
