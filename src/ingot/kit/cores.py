"""How many processor cores this process may use."""

import math
import os
from contextlib import suppress
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(quota: Path = QUOTA) -> int:
    """The cores it may run on, or fewer where a container is given less time than they have."""
    cores = len(os.sched_getaffinity(0))
    # "max 100000", or microseconds of processor time in each period.
    with suppress(OSError, ValueError):
        allowed, period = quota.read_text().split()
        cores = min(cores, math.ceil(int(allowed) / int(period)))
    return max(1, cores)
