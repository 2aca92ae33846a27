"""What happens when a statement begins: it is counted, and its time limit starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ingot.kit.statement_limit import start_statement

_statements: ContextVar[list[int] | None] = ContextVar("statements", default=None)


@contextmanager
def counting_statements() -> Iterator[list[int]]:
    """Count the statements run in this context; the one-element list holds the number."""
    counter = [0]
    token = _statements.set(counter)
    try:
        yield counter
    finally:
        _statements.reset(token)


def begin_statement(*_: object) -> None:
    """A statement is about to run; also a listener of the library's event."""
    start_statement()
    counter = _statements.get()
    if counter is not None:
        counter[0] += 1
