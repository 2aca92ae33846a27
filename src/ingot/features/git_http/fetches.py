"""Counting fetches per project and day."""

from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from ingot.features.projects import project_fetches
from ingot.kit.clock import today
from ingot.kit.services import Services


def count_fetch(services: Services, project_id: int) -> None:
    """One more clone or fetch today."""
    with services.db.write() as tx:
        insert = sqlite_insert if tx.dialect.name == "sqlite" else pg_insert
        statement = insert(project_fetches).values(project_id=project_id, day=today(), count=1)
        tx.execute(
            statement.on_conflict_do_update(
                index_elements=["project_id", "day"], set_={"count": project_fetches.c.count + 1}
            )
        )
