"""The status of a runner, from its last contact."""

from datetime import datetime, timedelta

from ingot.kit.clock import now

ONLINE = timedelta(hours=2)
STALE = timedelta(days=7)


def runner_status(contacted_at: datetime | None, created_at: datetime) -> str:
    """`online` within two hours, `stale` after seven days, `never_contacted` before the first contact."""
    moment = now()
    if contacted_at is None:
        return "stale" if created_at <= moment - STALE else "never_contacted"
    if contacted_at > moment - ONLINE:
        return "online"
    return "stale" if contacted_at <= moment - STALE else "offline"
