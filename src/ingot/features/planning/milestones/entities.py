"""Milestones on the wire."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from ingot.access.call import Call
from ingot.access.tables import namespaces, projects
from ingot.features.planning.milestones.rows import MilestoneWithPaths
from ingot.features.planning.milestones.tables import milestones
from ingot.kit.clock import today
from ingot.kit.entity import UNSET, Entity, UnsetType, wire
from ingot.kit.statements import rows_by_id


class Milestone(Entity, kw_only=True):
    """A milestone; it belongs to a project or to a group."""

    id: int
    iid: int
    project_id: int | UnsetType = UNSET
    group_id: int | UnsetType = UNSET
    title: str
    description: str | None
    state: str
    created_at: datetime
    updated_at: datetime
    due_date: date | None
    start_date: date | None
    expired: bool
    web_url: str


COLUMNS = (
    *milestones.c,
    projects.c.full_path.label("project_path"),
    namespaces.c.full_path.label("group_path"),
)


def with_paths() -> Select[Any]:
    """Milestones joined with the paths that their web addresses need."""
    return (
        select(*COLUMNS)
        .select_from(milestones)
        .outerjoin(projects, projects.c.id == milestones.c.project_id)
        .outerjoin(namespaces, namespaces.c.id == milestones.c.group_id)
    )


def milestone(row: MilestoneWithPaths, base_url: str) -> Milestone:
    """One row of `with_paths`."""
    place = row.project_path if row.project_id is not None else f"groups/{row.group_path}"
    result = Milestone(
        id=row.id,
        iid=row.iid,
        title=row.title,
        description=row.description,
        state=row.state,
        created_at=wire(row.created_at),
        updated_at=wire(row.updated_at),
        due_date=row.due_date,
        start_date=row.start_date,
        expired=row.due_date is not None and row.due_date < today(),
        web_url=f"{base_url}/{place}/-/milestones/{row.iid}",
    )
    if row.project_id is not None:
        result.project_id = row.project_id
    elif row.group_id is not None:
        result.group_id = row.group_id
    return result


def present(call: Call, rows: Sequence[MilestoneWithPaths]) -> list[Milestone]:
    """A page of milestones."""
    return [milestone(row, call.base_url) for row in rows]


_BY_IDS = with_paths().where(milestones.c.id.in_(bindparam("ids", expanding=True)))


def milestones_by_id(conn: Connection, ids: Iterable[int | None], base_url: str) -> dict[int, Milestone]:
    """The milestones of a page of other records, in one query."""
    milestone_ids = {milestone_id for milestone_id in ids if milestone_id is not None}
    if not milestone_ids:
        return {}
    return {row.id: milestone(row, base_url) for row in rows_by_id(conn, _BY_IDS, milestone_ids)}
