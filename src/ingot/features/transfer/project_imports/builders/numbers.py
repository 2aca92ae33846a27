"""Numbers (`iid`) of records: those of the archive are kept, and records without one give way.

The latter are recorded in the database while the import runs, to survive a crash.
"""

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, insert, select, update

from ingot.features.transfer.project_exports import archive_leftovers
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import BadRecord

_MARK = "{} gives way"  # no archive can use this name
_KINDS = ("milestones", "issues", "merge_requests", "pipelines")


def take_number(context: ImportContext, tx: Connection, table: Table, kind: str, archived_iid: int | None) -> int:
    """The number of a new row: the archive's, or the next free one."""
    if archived_iid is None or not _has_marks(context, tx, kind):
        return context.number(tx, kind, archived_iid)
    query = select(table.c.id).where(table.c.project_id == context.project.id, table.c.iid == archived_iid)
    other = tx.execute(query).scalar_one_or_none()
    if other is not None and not tx.execute(select(_marks.c.id).where(_mark(context, kind, other))).first():
        raise BadRecord("Iid has already been taken")
    context.number(tx, kind, archived_iid)
    if other is not None:
        moved = context.number(tx, kind, None)
        tx.execute(update(table).where(table.c.id == other).values(iid=moved))
    return archived_iid


def mark_unnumbered(context: ImportContext, tx: Connection, kind: str, row_id: int) -> None:
    """Mark a row that had no number in the archive."""
    mark = {"project_id": context.project.id, "relation": _MARK.format(kind), "owner_id": row_id, "data": {}}
    tx.execute(insert(_marks).values(mark))
    context.unnumbered[kind] = True


def forget_marks(tx: Connection, project_id: int) -> None:
    """Remove the marks at the end of the import."""
    names = [_MARK.format(kind) for kind in _KINDS]
    tx.execute(delete(_marks).where(_marks.c.project_id == project_id, _marks.c.relation.in_(names)))


def _has_marks(context: ImportContext, tx: Connection, kind: str) -> bool:
    if kind not in context.unnumbered:
        context.unnumbered[kind] = (
            tx.execute(select(_marks.c.id).where(_mark(context, kind)).limit(1)).first() is not None
        )
    return context.unnumbered[kind]


def _mark(context: ImportContext, kind: str, row_id: int | None = None) -> ColumnElement[bool]:
    condition = and_(_marks.c.project_id == context.project.id, _marks.c.relation == _MARK.format(kind))
    return condition if row_id is None else condition & (_marks.c.owner_id == row_id)


_marks = archive_leftovers
