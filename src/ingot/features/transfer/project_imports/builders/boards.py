"""Issue boards with their lists of labels, assignees and milestones; lists of other kinds are kept verbatim."""

from collections.abc import Mapping

from sqlalchemy import Connection, insert

from ingot.features.planning.boards import board_labels, board_lists, boards
from ingot.features.transfer.project_imports.builders.labels import label_id
from ingot.features.transfer.project_imports.builders.milestones import milestone_id
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import flag, moment_or, number, one, records, text

MODELLED = frozenset(
    [
        "name", "project_id", "group_id", "weight", "assignee_id", "hide_backlog_list", "hide_closed_list",
        "created_at", "updated_at", "labels", "milestone",
    ]
)  # fmt: skip
UNNAMED = "Development"
Lists = list[Mapping[str, object]]
MOST_WEIGHT = 2**31


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `boards`."""
    created = moment_or(record, "created_at", context.started)
    milestone, weight = one(record, "milestone"), number(record, "weight")
    values = {
        "project_id": context.project.id,
        "name": text(record, "name", longest=255) or UNNAMED,
        "hide_backlog_list": flag(record, "hide_backlog_list"),
        "hide_closed_list": flag(record, "hide_closed_list"),
        "assignee_id": context.people.known_or_none(record.get("assignee_id")),
        "milestone_id": milestone_id(context, tx, milestone) if milestone is not None else None,
        # Archives write -1 for any weight.
        "weight": weight if weight is not None and 0 <= weight < MOST_WEIGHT else None,
        "created_at": created,
        "updated_at": moment_or(record, "updated_at", created),
    }
    board_id = int(tx.execute(insert(boards).values(values).returning(boards.c.id)).scalar_one())
    for label in {label_id(context, tx, label) for label in records(record, "labels")}:
        tx.execute(insert(board_labels).values(board_id=board_id, label_id=label))
    stored, others = _build_lists(context, tx, board_id, record)
    rest = {**record, "lists": others}
    context.keep_rest(tx, "boards", board_id, rest, MODELLED, children=context.rest_of("lists", stored))


def _build_lists(
    context: ImportContext, tx: Connection, board_id: int, record: Mapping[str, object]
) -> tuple[Lists, Lists]:
    """Store the lists in the order of their positions, each label once; returns the stored ones, and those of other
    kinds."""
    stored: Lists = []
    others: Lists = []
    used: set[tuple[str, int]] = set()
    ordered = sorted(records(record, "lists"), key=lambda item: number(item, "position", 0) or 0)
    for item in ordered:
        target = _target(context, tx, item)
        if target is None:
            others.append(item)
            continue
        if target in used:
            continue
        created = moment_or(item, "created_at", context.started)
        moments = {"created_at": created, "updated_at": moment_or(item, "updated_at", created)}
        column, value = target
        row = {"board_id": board_id, column: value, "position": len(used), **moments}
        tx.execute(insert(board_lists).values(row))
        used.add(target)
        stored.append(item)
    return stored, others


def _target(context: ImportContext, tx: Connection, item: Mapping[str, object]) -> tuple[str, int] | None:
    label, milestone = one(item, "label"), one(item, "milestone")
    if label is not None:
        return "label_id", label_id(context, tx, label)
    if milestone is not None:
        return "milestone_id", milestone_id(context, tx, milestone)
    person = context.people.known_or_none(item.get("user_id")) if item.get("list_type") == "assignee" else None
    return None if person is None else ("assignee_id", person)
