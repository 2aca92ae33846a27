"""What happens when a statement begins and ends: it is counted, its time limit starts, its time is noted."""

from contextvars import ContextVar, Token
from time import monotonic

from sqlalchemy import Connection
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.engine.interfaces import DBAPICursor

from ingot.kit import tallies
from ingot.kit.statement_limit import current as current_limit
from ingot.kit.times import noted_in

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


def begin_statement() -> float:
    """A statement is about to run. Returns when it begins."""
    counter = counted_in.get()
    if counter is not None:
        counter[0] += 1
    # The limit of this thread starts.
    begun = monotonic()
    limit = current_limit.limit
    if limit is not None:
        limit.started = begun
    return begun


def begin_by_library(*_: object) -> None:
    """A listener: a statement that has no plan is about to run."""
    tallies.current.begun = begin_statement()


def end_by_library(
    _conn: Connection,
    _cursor: DBAPICursor,
    text: str,
    _parameters: object,
    context: DefaultExecutionContext,
    _many: object,
) -> None:
    """A listener: it has run."""
    here = tallies.current
    seconds = monotonic() - here.begun
    tally = here.writes if context.is_crud else here.reads
    tally[0] += 1
    tally[1] += seconds
    times = noted_in.get()
    if times is not None:
        times.add("statement", text, seconds)
