"""Milestones: found by title in the project or its groups; those of the project keep their number."""

from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from ingot.features.planning.milestones import milestones, usable_in_project
from ingot.features.transfer.project_exports import archive_leftovers
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import BadRecord, day, iid, moment_or, text

# Milestones of a group became the project's with the next free number; the project's own take theirs back from them.
# Kept in the database while the import runs, because a crash must not forget it. No archive can use this name.
GIVES_WAY = "milestone gives way"
MODELLED = frozenset(
    [
        "iid",
        "title",
        "project_id",
        "group_id",
        "description",
        "due_date",
        "start_date",
        "state",
        "created_at",
        "updated_at",
    ]
)


def milestone_id(context: ImportContext, tx: Connection, record: dict[str, Any]) -> int:
    """The milestone that a record names, made if it is not there."""
    title = str(text(record, "title", longest=255, required=True))
    if title in context.milestones:
        return context.milestones[title]
    known = tx.execute(
        select(milestones.c.id)
        .where(usable_in_project(context.project), milestones.c.title == title)
        .order_by(milestones.c.project_id.is_(None), milestones.c.id)
        .limit(1)
    ).scalar_one_or_none()
    result = int(known) if known is not None else _make(context, tx, record, title)
    return context.milestones.setdefault(title, result)


def _make(context: ImportContext, tx: Connection, record: dict[str, Any], title: str) -> int:
    wanted = iid(record) if record.get("group_id") is None else None
    if wanted is not None:
        sitting = select(milestones.c.id).where(
            milestones.c.project_id == context.project.id, milestones.c.iid == wanted
        )
        other = tx.execute(sitting).scalar_one_or_none()
        if other is not None and not _gives_way(context, tx, other):
            raise BadRecord("Iid has already been taken")
        context.number(tx, "milestones", wanted)
        if other is not None:  # a former group milestone makes room
            moved = context.number(tx, "milestones", None)
            tx.execute(update(milestones).where(milestones.c.id == other).values(iid=moved))
    created = moment_or(record, "created_at", context.started)
    created_row = tx.execute(
        insert(milestones)
        .values(
            iid=wanted if wanted is not None else context.number(tx, "milestones", None),
            project_id=context.project.id,
            title=title,
            description=text(record, "description"),
            state="closed" if record.get("state") == "closed" else "active",
            start_date=day(record, "start_date"),
            due_date=day(record, "due_date"),
            created_at=created,
            updated_at=moment_or(record, "updated_at", created),
        )
        .returning(milestones.c.id)
    ).scalar_one()
    context.keep_rest(tx, "milestones", created_row, record, MODELLED)
    if wanted is None:
        mark = {"project_id": context.project.id, "relation": GIVES_WAY, "owner_id": created_row, "data": {}}
        tx.execute(insert(archive_leftovers).values(mark))
    return int(created_row)


def _gives_way(context: ImportContext, tx: Connection, milestone_id: int) -> bool:
    """It came without a number of its own in this very import, perhaps before a crash."""
    table = archive_leftovers
    mark = select(table.c.id).where(
        table.c.project_id == context.project.id, table.c.relation == GIVES_WAY, table.c.owner_id == milestone_id
    )
    return tx.execute(mark).first() is not None


def forget_marks(tx: Connection, project_id: int) -> None:
    """The import has ended: all numbers are settled."""
    table = archive_leftovers
    tx.execute(delete(table).where(table.c.project_id == project_id, table.c.relation == GIVES_WAY))


def build(context: ImportContext, tx: Connection, record: dict[str, Any]) -> None:
    """A line of `milestones`; the project's own take their number back from an embedded copy."""
    if context.skips_existing and iid(record) in context.existing_iids:
        return
    milestone_id(context, tx, record)
