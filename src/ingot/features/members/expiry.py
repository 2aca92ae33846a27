"""Ending memberships and shares whose date has come, and refreshing the rights that hung on them."""

from typing import Any

from sqlalchemy import Connection, Table, delete, select

from ingot.access.authorizations import refresh_groups, refresh_projects
from ingot.access.tables import group_group_links, members, project_group_links
from ingot.kit.clock import today
from ingot.kit.jobs import enqueue

BATCH = 500


def expire(tx: Connection) -> int:
    """Remove a batch of what has expired; returns how many rows that were."""
    groups: set[int] = set()
    projects: set[int] = set()
    ended = 0
    for table, in_groups, in_projects in (
        (members, "group_id", "project_id"),
        (group_group_links, "group_id", None),
        (project_group_links, None, "project_id"),
    ):
        for row in _take(tx, table):
            ended += 1
            if table is members:
                _look_at_assignments(tx, row)
            if in_groups is not None and getattr(row, in_groups) is not None:
                groups.add(getattr(row, in_groups))
            if in_projects is not None and getattr(row, in_projects) is not None:
                projects.add(getattr(row, in_projects))
    if groups:
        refresh_groups(tx, groups)
    refresh_projects(tx, projects)
    return ended


def _look_at_assignments(tx: Connection, row: Any) -> None:
    args = {"user_id": row.user_id}
    enqueue(tx, "members.release", args=args, key=f"members.release-{row.user_id}", rerun=True)


def _take(tx: Connection, table: Table) -> list[object]:
    due = select(table.c.id).where(table.c.expires_at <= today()).order_by(table.c.id).limit(BATCH)
    return list(tx.execute(delete(table).where(table.c.id.in_(due)).returning(*table.c)).all())
