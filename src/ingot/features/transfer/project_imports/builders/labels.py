"""Labels: found by title in the project or its groups, else created in the project."""

from collections.abc import Mapping

from sqlalchemy import Connection, Table, insert, select

from ingot.features.planning.labels import DEFAULT, label_priorities, labels, read_color, usable_in_project
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import moment_or, number, records, text

MODELLED = frozenset(
    [
        "title",
        "color",
        "project_id",
        "group_id",
        "created_at",
        "updated_at",
        "description",
        "type",
        "priorities",
        "textColor",
    ]
)


def label_id(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> int:
    """The label of a record, created if missing."""
    title = str(text(record, "title", longest=255, required=True))
    if title in context.labels:
        return context.labels[title]
    known = tx.execute(
        select(labels.c.id)
        .where(usable_in_project(context.project), labels.c.name == title)
        .order_by(labels.c.project_id.is_(None), labels.c.id)
        .limit(1)
    ).scalar_one_or_none()
    if known is not None:
        return context.labels.setdefault(title, int(known))
    created = moment_or(record, "created_at", context.started)
    created_row = tx.execute(
        insert(labels)
        .values(
            project_id=context.project.id,
            name=title,
            color=read_color(str(record.get("color") or "")) or DEFAULT,
            description=text(record, "description"),
            created_at=created,
            updated_at=moment_or(record, "updated_at", created),
        )
        .returning(labels.c.id)
    ).scalar_one()
    rest = {key: value for key, value in record.items() if key != "template" or value is True}
    context.keep_rest(tx, "labels", created_row, rest, MODELLED)
    return context.labels.setdefault(title, int(created_row))


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `labels`."""
    result = label_id(context, tx, record)
    for priority in records(record, "priorities"):
        rank = number(priority, "priority")
        if rank is not None and rank >= 0:
            known = select(label_priorities.c.priority).where(
                label_priorities.c.project_id == context.project.id, label_priorities.c.label_id == result
            )
            if tx.execute(known).first() is None:
                tx.execute(
                    insert(label_priorities).values(project_id=context.project.id, label_id=result, priority=rank)
                )


def link(
    context: ImportContext, tx: Connection, links: Table, column: str, owner_id: int, record: Mapping[str, object]
) -> None:
    """The labels of an issue or merge request."""
    chosen = {
        label_id(context, tx, label) for child in records(record, "label_links") for label in records(child, "label")
    }
    for item in sorted(chosen):
        context.add(tx, links, {column: owner_id, "label_id": item})
