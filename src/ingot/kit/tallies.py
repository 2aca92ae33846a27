"""How many statements, git processes, object calls, SSH commands and jobs this process had, and how long they took.

Each thread adds to numbers of its own, so nobody waits for a lock; they are summed when somebody reads them. What one
request did is in `kit.times`.
"""

import threading
from collections.abc import Iterable, Mapping
from typing import NamedTuple

# The part, its name and its result: all of them words of the program, never of people.
Key = tuple[str, str, str]
OK, FAILED, CANCELLED = "ok", "failed", "cancelled"
STATEMENT, GIT, OBJECT, SSH, JOB = "statement", "git", "object", "ssh", "job"
# Cells of threads that have ended are folded when there are more.
MOST_CELLS = 100


class Metric(NamedTuple):
    """How a part is called in Prometheus' text form, and which label has its name."""

    number: str
    seconds: str
    label: str


METRICS = {
    STATEMENT: Metric("ingot_database_statements_total", "ingot_database_statement_seconds_total", "kind"),
    GIT: Metric("ingot_git_processes_total", "ingot_git_process_seconds_total", "command"),
    OBJECT: Metric("ingot_object_calls_total", "ingot_object_call_seconds_total", "call"),
    SSH: Metric("ingot_ssh_commands_total", "ingot_ssh_command_seconds_total", "command"),
}


class Tally(NamedTuple):
    """How many there were, and their seconds."""

    number: int = 0
    seconds: float = 0.0

    def plus(self, number: float, seconds: float) -> "Tally":
        """With some more."""
        return Tally(self.number + int(number), self.seconds + seconds)


Tallies = dict[Key, Tally]
_Sums = dict[Key, list[float]]

# The holder may be asked for a cell of its own: collecting garbage can end a call that is counted.
_lock = threading.RLock()
_cells: list[tuple[threading.Thread, _Sums]] = []
_ended: Tallies = {}


class _Cell(threading.local):
    """The sums of one thread. Every statement adds to one of the first two, which therefore need no look-up."""

    def __init__(self) -> None:
        self.reads: list[float] = [0, 0.0]
        self.writes: list[float] = [0, 0.0]
        self.begun = 0.0  # the statement that the library runs in this thread
        self.sums: _Sums = {(STATEMENT, "read", OK): self.reads, (STATEMENT, "write", OK): self.writes}
        with _lock:
            if len(_cells) >= MOST_CELLS:
                _fold_ended()
            _cells.append((threading.current_thread(), self.sums))


current = _Cell()


def add(part: str, name: str, seconds: float, result: str = OK) -> None:
    """One more took so long."""
    sums = current.sums
    key = (part, name, result)
    known = sums.get(key)
    if known is None:
        sums[key] = [1, seconds]
    else:
        known[0] += 1
        known[1] += seconds


def totals() -> Tallies:
    """All of this process."""
    with _lock:
        _fold_ended()
        result = dict(_ended)
        for _, sums in _cells:
            _add_sums(result, sums)
    return {key: tally for key, tally in result.items() if tally.number}


def begin_anew(earlier: Mapping[Key, Tally]) -> None:
    """After a fork: what the parent did is not counted again; a replacement continues from its predecessor."""
    with _lock:
        for _, sums in _cells:
            for values in sums.values():
                values[:] = [0, 0.0]
        _ended.clear()
        _ended.update(earlier)


def sum_of(parts: Iterable[Mapping[Key, Tally]]) -> Tallies:
    """All of them together."""
    result: Tallies = {}
    for part in parts:
        for key, tally in part.items():
            result[key] = result.get(key, Tally()).plus(*tally)
    return result


def lines(tallies: Mapping[Key, Tally]) -> list[str]:
    """The tallies in Prometheus' text form. Jobs are left out: all workers count them in the database."""
    result = []
    for part, metric in METRICS.items():
        of_part = sorted((key, tally) for key, tally in tallies.items() if key[0] == part)
        labels = [f'{{{metric.label}="{name}",result="{outcome}"}}' for (_, name, outcome), _ in of_part]
        result.append(f"# TYPE {metric.number} counter")
        result += [f"{metric.number}{label} {tally.number}" for label, (_, tally) in zip(labels, of_part, strict=True)]
        result.append(f"# TYPE {metric.seconds} counter")
        result += [
            f"{metric.seconds}{label} {tally.seconds:.6f}" for label, (_, tally) in zip(labels, of_part, strict=True)
        ]
    return result


def _fold_ended() -> None:
    """Keep the sums of threads that have ended, without the threads; the caller holds the lock."""
    alive = []
    for thread, sums in _cells:
        if thread.is_alive():
            alive.append((thread, sums))
        else:
            _add_sums(_ended, sums)
    _cells[:] = alive


def _add_sums(result: Tallies, sums: _Sums) -> None:
    # Its thread may add a key meanwhile; copying is one step of the interpreter.
    for key, (number, seconds) in list(sums.items()):
        result[key] = result.get(key, Tally()).plus(number, seconds)
