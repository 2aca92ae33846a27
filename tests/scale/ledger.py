"""What callers were promised, and every answer that should not have been given."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

# In place of a status, where there was none.
BROKEN = 0
# What is promised of something that was removed.
GONE = {"gone": True}

Promises = dict[str, dict[str, Any]]


class Either:
    """Equal to each of some values: whether a change whose answer broke off was made, nobody knows."""

    def __init__(self, *values: Any) -> None:
        self._values = values

    def __eq__(self, other: object) -> bool:
        return other in self._values

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return " or ".join(map(repr, self._values))


@dataclass
class Ledger:
    """Shared by the threads of a load."""

    promises: Promises = field(default_factory=dict)
    acknowledged: int = 0
    """Writes, those included that later ones have replaced."""
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    refusals: dict[tuple[str, int], str] = field(default_factory=dict)
    """What was said first with each status below 500, by action."""
    hooked: set[int] = field(default_factory=set)
    """Projects with a web hook of issues."""
    events: set[tuple[int, str, str]] = field(default_factory=set)
    """What hooks must tell: project, title of an issue, and what happened to it."""
    handed_out: set[int] = field(default_factory=set)
    lost_job_answers: int = 0
    """Answers to runners that broke off: each may have handed out a job that nobody does."""
    _outages: list[list[float]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def promise(self, path: str, /, **fields: Any) -> None:
        """A write was acknowledged: GET path must answer with these values until somebody asks for another change.

        The path is one of the API, or with two slashes at its beginning one of the server.
        """
        with self._lock:
            self.acknowledged += 1
            self.promises[path] = {**self.promises.get(path, {}), **fields}

    def withdraw(self, path: str) -> dict[str, Any]:
        """What was promised of this, and no longer is, for a change of it begins."""
        with self._lock:
            return self.promises.pop(path, {})

    def withdraw_below(self, path: str) -> None:
        """What belongs to this may go with it."""
        with self._lock:
            for below in [one for one in self.promises if one.startswith(f"{path}/")]:
                del self.promises[below]

    def restore(self, path: str, fields: dict[str, Any]) -> None:
        """What was withdrawn is promised again: the change was refused, or may have been made."""
        with self._lock:
            if fields:
                self.promises[path] = fields

    def snapshot(self) -> Promises:
        """What is promised at this moment."""
        with self._lock:
            return dict(self.promises)

    def expect_event(self, project: int, title: str, action: str) -> None:
        """A change of an issue was acknowledged, of which the hook of its project tells."""
        with self._lock:
            if project in self.hooked:
                self.events.add((project, title, action))

    def answer(self, action: str, status: int, text: str, begun: float) -> None:
        """Note an answer; server errors are faults, but for 502 and 503 if something was down since the call began.

        So are calls that broke off and git commands that failed: their status is `BROKEN`.
        """
        with self._lock:
            self.answers[action, status] += 1
            is_excused = status in (BROKEN, 502, 503) and self._had_an_outage(begun)
            if (status == BROKEN or status >= 500) and not is_excused:
                self.faults.append(f"{action}: {status or 'broken off'} {text[:300]}")
            if 400 <= status < 500:
                self.refusals.setdefault((action, status), text[:300])

    def never_done(self) -> list[str]:
        """What was tried and never went well, however good the excuse each time."""
        done = {action for action, status in self.answers if BROKEN < status < 400}
        return sorted({action for action, _ in self.answers} - done)

    def _had_an_outage(self, begun: float) -> bool:
        moment = time.monotonic()
        return any(begin <= moment and (end == 0.0 or begun <= end + 3.0) for begin, end in self._outages)

    def hand_out(self, job_id: int) -> None:
        """A runner was given this job, which must not happen twice."""
        with self._lock:
            if job_id in self.handed_out:
                self.faults.append(f"job {job_id} was handed out twice")
            self.handed_out.add(job_id)

    def outage(self) -> "Outage":
        """While the block runs, and three seconds longer, 502 and 503 are what callers must expect."""
        return Outage(self._outages)


def unchanged(before: Promises, after: Promises) -> Promises:
    """What was promised at both moments, and therefore at all in between."""
    return {path: fields for path, fields in before.items() if after.get(path) is fields}


class Outage:
    """The time in which a part of the cluster is down."""

    def __init__(self, outages: list[list[float]]) -> None:
        self._outages = outages
        self._entry = [0.0, 0.0]

    def __enter__(self) -> None:
        self._entry[0] = time.monotonic()
        self._outages.append(self._entry)

    def __exit__(self, *_: object) -> None:
        self._entry[1] = time.monotonic()
