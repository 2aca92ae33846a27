"""What holds while a request is handled.

Its statements are counted, its times noted, changes are its answer, and what seldom changes is not asked for again.
"""

from contextvars import Token
from typing import Protocol

from ingot.kit.changes import Origin, origin_in
from ingot.kit.statements.counting import counted_in
from ingot.kit.statements.remembering import LastingAnswers, current_lasting
from ingot.kit.times import Times, noted_in


class Handled(Origin, Protocol):
    """A request with its times."""

    times: Times


class handling:  # noqa: N801 - read as a verb: `with handling(call, left) as counter`
    """All at once, for every request; the one-element list holds the number of statements."""

    __slots__ = ("_call", "_left", "_tokens")

    def __init__(self, call: Handled, left: LastingAnswers | None) -> None:
        self._call = call
        self._left = left  # what other requests left

    def __enter__(self) -> list[int]:
        counter = [0]
        self._tokens: tuple[
            Token[list[int] | None], Token[Times | None], Token[Origin | None], Token[LastingAnswers | None]
        ] = (
            counted_in.set(counter),
            noted_in.set(self._call.times),
            origin_in.set(self._call),
            current_lasting.set(self._left),
        )
        return counter

    def __exit__(self, *_: object) -> None:
        counted, noted, origin, lasting = self._tokens
        counted_in.reset(counted)
        noted_in.reset(noted)
        origin_in.reset(origin)
        current_lasting.reset(lasting)
