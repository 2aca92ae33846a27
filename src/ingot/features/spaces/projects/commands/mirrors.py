"""When mirrors were updated."""

from sqlalchemy import Connection, insert, select, update

from ingot.features.spaces.projects.tables import project_mirror_updates
from ingot.kit.clock import now


def note_start(tx: Connection, project_id: int) -> None:
    """An update begins."""
    table, moment = project_mirror_updates, now()
    if tx.execute(select(table.c.project_id).where(table.c.project_id == project_id).with_for_update()).first() is None:
        tx.execute(insert(table).values(project_id=project_id, started_at=moment))
    else:
        tx.execute(update(table).where(table.c.project_id == project_id).values(started_at=moment))


def note_end(tx: Connection, project_id: int, *, succeeded: bool) -> None:
    """An update has ended."""
    table, moment = project_mirror_updates, now()
    values = {"ended_at": moment, "succeeded_at": moment} if succeeded else {"ended_at": moment}
    tx.execute(update(table).where(table.c.project_id == project_id).values(**values))
