"""Reading freeze periods."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from ingot.features.ci.freeze_periods.rows import FreezePeriodRow
from ingot.features.ci.freeze_periods.tables import freeze_periods
from ingot.kit.cron import find_zone, parse_cron
from ingot.kit.errors import RecordNotFound

# Every pipeline and every job that starts asks this.
_OF_PROJECT = select(freeze_periods).where(freeze_periods.c.project_id == bindparam("project_id"))


def listed(project_id: int) -> Select[Any]:
    """The freeze periods of a project, oldest first."""
    return select(freeze_periods).where(freeze_periods.c.project_id == project_id).order_by(freeze_periods.c.id)


def get(conn: Connection, project_id: int, period_id: int) -> FreezePeriodRow:
    """One freeze period of a project."""
    row = conn.execute(listed(project_id).where(freeze_periods.c.id == period_id)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def is_frozen(conn: Connection, project_id: int, moment: datetime) -> bool:
    """Whether the moment lies in a freeze period of the project."""
    rows: list[FreezePeriodRow] = list(conn.execute(_OF_PROJECT, {"project_id": project_id}))
    return any(covers(row, moment) for row in rows)


def covers(row: FreezePeriodRow, moment: datetime) -> bool:
    """The last beginning before the moment is later than the last end."""
    zone = find_zone(row.cron_timezone)
    if zone is None:
        return False
    began = parse_cron(row.freeze_start).last_before(moment, zone)
    ended = parse_cron(row.freeze_end).last_before(moment, zone)
    return began is not None and (ended is None or began > ended)
