"""What callers were promised, and every answer that should not have been given."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

# In place of a status, where there was none.
BROKEN = 0


@dataclass
class Ledger:
    """Shared by the threads of a load."""

    acknowledged: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    refusals: dict[tuple[str, int], str] = field(default_factory=dict)
    """What was said first with each status below 500, by action."""
    hooked: dict[int, int] = field(default_factory=dict)
    """Projects with a web hook, and how many promises were older than it."""
    handed_out: set[int] = field(default_factory=set)
    lost_job_answers: int = 0
    """Answers to runners that broke off: each may have handed out a job that nobody does."""
    _outages: list[list[float]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def promise(self, path: str, /, **fields: Any) -> None:
        """A write was acknowledged: GET path must answer with these values for ever after.

        The path is one of the API, or with two slashes at its beginning one of the server.
        """
        with self._lock:
            self.acknowledged.append((path, fields))

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
