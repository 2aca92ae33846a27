"""What an answer follows from besides the database. Whoever reads it notes it first, so that the answer can be kept."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Source(Protocol):
    """Something outside the database, as it was before it was read."""

    def is_unchanged(self) -> bool:
        """Reading it again would give the same."""


_sources: ContextVar[list[Source] | None] = ContextVar("sources", default=None)


@contextmanager
def noting_sources() -> Iterator[list[Source]]:
    """Collect the sources of what happens in this block."""
    sources: list[Source] = []
    token = _sources.set(sources)
    try:
        yield sources
    finally:
        _sources.reset(token)


def note_source(look: Callable[[], Source]) -> None:
    """A source is about to be read: look at its state, where somebody wants to know."""
    sources = _sources.get()
    if sources is not None:
        sources.append(look())
