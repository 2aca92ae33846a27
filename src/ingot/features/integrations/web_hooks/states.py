"""When a hook rests because its receiver keeps failing, and for how long."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.instance import is_on
from ingot.kit.clock import now

EXECUTABLE, TEMPORARILY_DISABLED, DISABLED = "executable", "temporarily_disabled", "disabled"
# The flag under which failing hooks rest at all.
RESTING = "auto_disabling_web_hooks"
TOLERATED = 3
LAST = 40
LONGEST = timedelta(hours=24)


def alert_status(row: WebHookRow) -> str:
    """Whether deliveries are sent. Hooks of the instance never rest."""
    if row.kind == "system" or row.recent_failures <= TOLERATED:
        return EXECUTABLE
    if row.recent_failures >= LAST:
        return DISABLED
    is_resting = row.disabled_until is not None and row.disabled_until > now()
    return TEMPORARILY_DISABLED if is_resting else EXECUTABLE


def shown_states(conn: Connection, rows: Sequence[WebHookRow]) -> list[str]:
    """The states of hooks as people see them: while the flag is off, none rests."""
    states = [alert_status(row) for row in rows]
    if any(state != EXECUTABLE for state in states) and not is_on(conn, RESTING):
        return [EXECUTABLE] * len(states)
    return states


def rests_until(failures: int, moment: datetime) -> datetime | None:
    """The end of the rest after so many failures in a row: 1, 2, 4 … minutes, at most a day."""
    if failures <= TOLERATED:
        return None
    return moment + min(LONGEST, timedelta(minutes=2 ** min(failures - TOLERATED - 1, 12)))
