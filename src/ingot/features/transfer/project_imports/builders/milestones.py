"""Milestones: found by title in the project or its groups; those of the project keep their number."""

from collections.abc import Mapping

from sqlalchemy import Connection, insert, select

from ingot.features.planning.milestones import milestones, usable_in_project
from ingot.features.transfer.project_imports.builders.events import build_events
from ingot.features.transfer.project_imports.builders.numbers import mark_unnumbered, take_number
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import day, iid, moment_or, text

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


def milestone_id(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> int:
    """The milestone of a record, created if missing."""
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


def _make(context: ImportContext, tx: Connection, record: Mapping[str, object], title: str) -> int:
    # Group milestones become project milestones, but the project's own keep their numbers.
    archived_iid = iid(record) if record.get("group_id") is None else None
    given = take_number(context, tx, milestones, "milestones", archived_iid)
    created = moment_or(record, "created_at", context.started)
    created_row = tx.execute(
        insert(milestones)
        .values(
            iid=given,
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
    build_events(context, tx, "Milestone", int(created_row), record)
    context.keep_rest(tx, "milestones", created_row, record, MODELLED)
    if archived_iid is None:
        mark_unnumbered(context, tx, "milestones", created_row)
    return int(created_row)


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `milestones`; the project's own take their number back from an embedded copy."""
    if context.skips_existing and iid(record) in context.existing_iids:
        return
    milestone_id(context, tx, record)
