"""Counting clones and fetches per day."""

from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from ingot.features.spaces.projects.tables import project_fetches
from ingot.kit.clock import today


def record_fetch(tx: Connection, project_id: int) -> None:
    """Somebody cloned or fetched the repository."""
    insert = sqlite_insert if tx.dialect.name == "sqlite" else pg_insert
    statement = insert(project_fetches).values(project_id=project_id, day=today(), count=1)
    tx.execute(
        statement.on_conflict_do_update(
            index_elements=["project_id", "day"], set_={"count": project_fetches.c.count + 1}
        )
    )
