"""What processes have worked, as the system counts it: other programs on the machine do not add to it."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def processor_time(pid: int) -> float:
    """Seconds of work so far, with those of ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def with_children(pid: int) -> float:
    """With those of children that are still running."""
    return processor_time(pid) + sum(map(_of_child, _children(pid)))


def _children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # the thread has ended
            yield from map(int, (task / "children").read_text().split())


def _of_child(pid: int) -> float:
    try:
        return processor_time(pid)
    except OSError:
        return 0.0  # it has ended: the next time it counts for its parent
