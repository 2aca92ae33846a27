"""Milestones of the project; those of its groups are embedded where they are used."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.planning.milestones import MilestoneRow, milestones
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, times
from ingot.features.transfer.project_exports.relations.events import events_of
from ingot.kit.services import Services


def milestone_record(row: MilestoneRow) -> dict[str, Any]:
    """A milestone, as it stands alone and inside issues and merge requests."""
    return {
        "iid": row.iid,
        "title": row.title,
        "project_id": row.project_id,
        "group_id": row.group_id,
        "description": row.description,
        "due_date": row.due_date.isoformat() if row.due_date else None,
        "start_date": row.start_date.isoformat() if row.start_date else None,
        "state": row.state,
        **times(row),
    }


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's milestones."""
    for rows in batches(conn, select(milestones).where(milestones.c.project_id == project.id), milestones.c.id):
        yield from _whole(conn, project.id, rows)


def milestones_by_id(conn: Connection, project_id: int, ids: set[int]) -> dict[int, dict[str, Any]]:
    """Milestones of a batch, as they are embedded."""
    rows = conn.execute(select(milestones).where(milestones.c.id.in_(ids))).all()
    return {row.id: record for row, record in zip(rows, _whole(conn, project_id, rows), strict=True)}


def _whole(conn: Connection, project_id: int, rows: Sequence[MilestoneRow]) -> Iterator[dict[str, Any]]:
    """Milestones with their events, and what an import kept for them."""
    ids = [row.id for row in rows]
    remaining, done = preserved_for(conn, project_id, "milestones", ids), events_of(conn, ["Milestone"], ids)
    for row in rows:
        rest = remaining.get(row.id, {})
        events = [*rest.get("events", []), *done.get(row.id, [])]
        yield {**rest, "events": events, **milestone_record(row)}
