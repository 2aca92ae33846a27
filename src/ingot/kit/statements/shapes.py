"""Statements whose form callers choose: kept by what they chose."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Shapes(Generic[T]):
    """Built statements by an explicit key: the options that decide their form. What differs from call to call is bound.

    Keep only what has few values (switches, words of a list); a key with a text or a moment in it would never be met
    again. Those that were not asked for while `most` others were built are dropped.
    """

    def __init__(self, most: int = 500) -> None:
        self._most = most
        self._built: dict[Hashable, T] = {}
        self._older: dict[Hashable, T] = {}

    def get(self, key: Hashable, build: Callable[[], T]) -> T:
        """The statement of this form, built when it is asked for first."""
        built = self._built.get(key)
        if built is None:
            known = self._older.get(key)
            built = build() if known is None else known
            if len(self._built) >= self._most:
                self._built, self._older = {}, self._built
            self._built[key] = built
        return built
