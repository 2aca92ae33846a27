"""What holds while a request is handled: its statements are counted, its times noted, and changes are its answer."""

from contextvars import Token
from typing import Protocol

from ingot.kit.changes import Origin, origin_in
from ingot.kit.statements.counting import counted_in
from ingot.kit.times import Times, noted_in


class Handled(Origin, Protocol):
    """A request with its times."""

    times: Times


class handling:  # noqa: N801 - read as a verb: `with handling(call) as counter`
    """All three at once, for every request; the one-element list holds the number of statements."""

    __slots__ = ("_call", "_tokens")

    def __init__(self, call: Handled) -> None:
        self._call = call

    def __enter__(self) -> list[int]:
        counter = [0]
        self._tokens: tuple[Token[list[int] | None], Token[Times | None], Token[Origin | None]] = (
            counted_in.set(counter),
            noted_in.set(self._call.times),
            origin_in.set(self._call),
        )
        return counter

    def __exit__(self, *_: object) -> None:
        counted, noted, origin = self._tokens
        counted_in.reset(counted)
        noted_in.reset(noted)
        origin_in.reset(origin)
