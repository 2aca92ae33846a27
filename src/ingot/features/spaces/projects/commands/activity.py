"""Last activity and contributors of a project."""

from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Connection, Insert, bindparam, or_, update

from ingot.access.tables import projects
from ingot.features.spaces.projects.tables import project_contributions
from ingot.kit.clock import now
from ingot.kit.upsert import upsert

# A busy project is updated at most once per second, the precision of the wire.
PRECISION = timedelta(seconds=1)


_TOUCH = update(projects).where(
    projects.c.id == bindparam("touched"),
    or_(projects.c.last_activity_at.is_(None), projects.c.last_activity_at < bindparam("due")),
)


@cache
def _contribute(dialect: str) -> Insert:
    statement = upsert(dialect, project_contributions)
    later = {"last_at": statement.excluded.last_at}
    return statement.on_conflict_do_update(index_elements=["user_id", "project_id"], set_=later)


def touch_activity(tx: Connection, project_id: int, user_id: int | None = None, at: datetime | None = None) -> None:
    """Record activity: updates `last_activity_at` (never `updated_at`) and the contributors."""
    moment = at or now()
    tx.execute(_TOUCH, {"touched": project_id, "last_activity_at": moment, "due": moment - PRECISION})
    if user_id is not None:
        contribution = {"user_id": user_id, "project_id": project_id, "last_at": moment}
        tx.execute(_contribute(tx.dialect.name), contribution)
