"""What happens when a statement begins: it is counted, and its time limit starts."""

from contextvars import ContextVar, Token
from time import monotonic

from ingot.kit.statement_limit import current as current_limit

# The counter of this context.
counted_in: ContextVar[list[int] | None] = ContextVar("statements", default=None)


class counting_statements:  # noqa: N801 - read as a verb: `with counting_statements() as counter`
    """Count the statements run in this context; the one-element list holds the number."""

    __slots__ = ("_token",)

    def __enter__(self) -> list[int]:
        counter = [0]
        self._token: Token[list[int] | None] = counted_in.set(counter)
        return counter

    def __exit__(self, *_: object) -> None:
        counted_in.reset(self._token)


def begin_statement(*_: object) -> float:
    """A statement is about to run; also a listener of the library's event. Returns when it begins."""
    counter = counted_in.get()
    if counter is not None:
        counter[0] += 1
    # The limit of this thread starts.
    begun = monotonic()
    limit = current_limit.limit
    if limit is not None:
        limit.started = begun
    return begun
