"""Counting clones and fetches per day."""

from sqlalchemy import Connection

from ingot.features.spaces.projects.tables import project_fetches
from ingot.kit.clock import today
from ingot.kit.upsert import upsert


def record_fetch(tx: Connection, project_id: int) -> None:
    """Count a clone or fetch."""
    statement = upsert(tx.dialect.name, project_fetches).values(project_id=project_id, day=today(), count=1)
    tx.execute(
        statement.on_conflict_do_update(
            index_elements=["project_id", "day"], set_={"count": project_fetches.c.count + 1}
        )
    )
