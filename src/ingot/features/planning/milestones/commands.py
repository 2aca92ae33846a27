"""Changing milestones."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issuables import kinds
from ingot.features.planning.milestones.rows import MilestoneRow
from ingot.features.planning.milestones.tables import milestones
from ingot.kit.changes import Change, report_change, report_change_now
from ingot.kit.clock import now
from ingot.kit.counters import next_value
from ingot.kit.errors import Invalid

MOVES = {"close": "closed", "activate": "active"}


def _check(tx: Connection, values: Mapping[str, object], owner: ColumnElement[bool], current_id: int | None) -> None:
    problems: dict[str, list[str]] = {}
    title = values.get("title")
    if isinstance(title, str):
        if not title.strip():
            problems["title"] = ["can't be blank"]
        elif len(title) > 255:
            problems["title"] = ["is too long (maximum is 255 characters)"]
        else:
            same_title = select(milestones.c.id).where(owner, milestones.c.title == title)
            if current_id is not None:
                same_title = same_title.where(milestones.c.id != current_id)
            if tx.execute(same_title).first() is not None:
                problems["title"] = ["already being used for another group or project milestone."]
    start, due = values.get("start_date"), values.get("due_date")
    if isinstance(start, date) and isinstance(due, date) and start > due:
        problems["due_date"] = ["must be greater than start date"]
    if problems:
        raise Invalid(problems)


def create_milestone(
    tx: Connection, values: Mapping[str, object], *, project_id: int | None = None, group_id: int | None = None
) -> int:
    """A new milestone of a project or a group."""
    owner = milestones.c.project_id == project_id if project_id is not None else milestones.c.group_id == group_id
    _check(tx, values, owner, None)
    place = f"project:{project_id}" if project_id is not None else f"group:{group_id}"
    moment = now()
    created = insert(milestones).values(
        iid=next_value(tx, place, "milestones"),
        project_id=project_id,
        group_id=group_id,
        created_at=moment,
        updated_at=moment,
        **values,
    )
    milestone_id = int(tx.execute(created.returning(milestones.c.id)).scalar_one())
    report_change(tx, Change("milestone", "create", milestone_id, project_id=project_id, group_id=group_id))
    return milestone_id


def update_milestone(
    tx: Connection, row: MilestoneRow, changes: Mapping[str, object], state_event: str | None = None
) -> None:
    """Change a milestone, or move its state."""
    owner = (
        milestones.c.project_id == row.project_id
        if row.project_id is not None
        else milestones.c.group_id == row.group_id
    )
    dates = {"start_date": row.start_date, "due_date": row.due_date}
    _check(tx, {**dates, **changes}, owner, row.id)
    values: dict[str, object] = {**changes, "updated_at": now()}
    if state_event is not None:
        values["state"] = MOVES[state_event]
    tx.execute(update(milestones).where(milestones.c.id == row.id).values(values))
    if state_event is not None and values["state"] != row.state:
        report_change(tx, _change(row, state_event))


def delete_milestone(tx: Connection, row: MilestoneRow) -> None:
    """Delete a milestone; its issues and merge requests stay, without one."""
    report_change_now(tx, _change(row, "delete"))
    tx.execute(delete(milestones).where(milestones.c.id == row.id))


def _change(row: MilestoneRow, action: str) -> Change:
    return Change("milestone", action, row.id, project_id=row.project_id, group_id=row.group_id)


def promote(tx: Connection, row: MilestoneRow, group: int) -> int:
    """Promote a project milestone to a group milestone; milestones of the same title below are merged into it."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group)
    inside = select(projects.c.id).where(projects.c.namespace_id.in_(below))
    same = select(milestones.c.id).where(milestones.c.title == row.title, milestones.c.project_id.in_(inside))
    folded = [item for item in tx.execute(same).scalars() if item != row.id]
    for kind in kinds():
        table = kind.table
        if folded:
            tx.execute(update(table).where(table.c.milestone_id.in_(folded)).values(milestone_id=row.id))
    for milestone_id in folded:
        report_change_now(tx, Change("milestone", "fold", milestone_id, details={"into": row.id}))
    if folded:
        tx.execute(delete(milestones).where(milestones.c.id.in_(folded)))
    iid = next_value(tx, f"group:{group}", "milestones")
    tx.execute(
        update(milestones)
        .where(milestones.c.id == row.id)
        .values(project_id=None, group_id=group, iid=iid, updated_at=now())
    )
    return int(row.id)
