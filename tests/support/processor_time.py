"""What processes have worked, as the system counts it: other programs on the machine do not add to it.

Limits of work are seconds of the machine on which they were set; `slowness` says how many seconds here are one there.
"""

import json
import os
import re
import time
from contextlib import suppress
from pathlib import Path

USUAL = 0.028  # seconds of `_known_work` on the machine on which the limits were set


def processor_time(pid: int) -> float:
    """Seconds of work so far, with those of ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def with_children(pid: int) -> float:
    """With those of children that are still running."""
    return processor_time(pid) + sum(map(_of_child, children(pid)))


def children(pid: int) -> list[int]:
    """The processes that this one started, and that have not ended."""
    result: list[int] = []
    with suppress(OSError):  # it has ended
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):  # the thread has ended
                result += map(int, (task / "children").read_text().split())
    return result


def _of_child(pid: int) -> float:
    try:
        return processor_time(pid)
    except OSError:
        return 0.0  # it has ended: the next time it counts for its parent


def slowness() -> float:
    """How many times longer work takes at this moment than where the limits were set, at least 1."""
    return max(1.0, min(_known_work() for _ in range(3)) / USUAL)


def _known_work() -> float:
    """Seconds of some work of the kinds that the server does."""
    begin = time.thread_time()
    text = "".join(f"{number}," for number in range(40_000))
    sum(int(word) for word in text.split(",") if word)
    re.sub(r"\d+", "x", text)
    json.dumps(list(range(40_000)))
    return time.thread_time() - begin
