"""Notes as other answers embed them."""

from collections.abc import Collection

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.planning.issuables import Noteable, kinds
from ingot.features.planning.notes.entities import Note, PageLoads, note
from ingot.features.planning.notes.tables import notes


def notes_by_id(call: Call, ids: Collection[int]) -> dict[int, Note]:
    """Notes on any noteable; the caller's right to read them was checked before."""
    if not ids:
        return {}
    rows = call.conn.execute(select(notes).where(notes.c.id.in_(ids))).all()
    numbers: dict[tuple[str, int | None], int] = {}
    for kind in kinds():
        noteable_ids = {row.noteable_id for row in rows if row.noteable_type == kind.type}
        if noteable_ids:
            query = select(kind.table.c.id, kind.table.c.iid).where(kind.table.c.id.in_(noteable_ids))
            numbers |= {(kind.type, one.id): one.iid for one in call.conn.execute(query)}
    loads = PageLoads(call, rows)
    result = {}
    for row in rows:
        iid = numbers.get((row.noteable_type, row.noteable_id))
        result[row.id] = note(row, Noteable(row.noteable_type, row.project_id, id=row.noteable_id, iid=iid), loads)
    return result
