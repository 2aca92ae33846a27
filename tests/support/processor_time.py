"""What processes have worked, as the system counts it: other programs on the machine do not add to it."""

import os
from pathlib import Path


def processor_time(pid: int) -> float:
    """Seconds of work so far, with those of ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def with_children(pid: int) -> float:
    """With those of children that are still running."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    running = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return processor_time(pid) + sum(map(processor_time, running))
