"""How long jobs ran: overlapping periods count once, gaps do not count."""

from collections.abc import Iterable
from datetime import datetime


def running_seconds(stretches: Iterable[tuple[datetime | None, datetime | None]], until: datetime) -> int:
    """Whole seconds in which at least one job ran; a job without an end runs until now."""
    known = sorted((start, end or until) for start, end in stretches if start is not None)
    total, reached = 0.0, None
    for start, end in known:
        begin = start if reached is None or start > reached else reached
        if end > begin:
            total += (end - begin).total_seconds()
        reached = end if reached is None or end > reached else reached
    return int(total)
