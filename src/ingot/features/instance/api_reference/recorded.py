"""Calls and their answers as a run of the tests recorded them (`make examples`): one operation a line, by name."""

from functools import cache
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("recorded.jsonl")


class RecordedCall(msgspec.Struct, frozen=True):
    """A call of an operation that succeeded."""

    operation: str
    path: str  # with its query, below /api/v4
    body: dict[str, object] | None  # None: it had none, or it was no JSON
    status: int
    answer: object


def recorded_call(operation: str) -> RecordedCall | None:
    """The call that was recorded of an operation, if any was."""
    return _recorded_calls().get(operation)


@cache
def _recorded_calls() -> dict[str, RecordedCall]:
    calls = (msgspec.json.decode(line, type=RecordedCall) for line in FILE.read_bytes().splitlines())
    return {call.operation: call for call in calls}
