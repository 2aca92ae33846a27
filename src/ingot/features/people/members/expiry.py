"""Ending expired memberships and shares, and refreshing the rights that depend on them."""

from typing import Any

from sqlalchemy import Connection, Select, Table, delete, select

from ingot.access.authorizations import refresh_groups, refresh_projects
from ingot.access.member_changes import report_removal
from ingot.access.tables import group_group_links, members, project_group_links
from ingot.access.turns import take_turn
from ingot.access.unassigning import unassign_in_group_later, unassign_in_project_later, unassign_user_later
from ingot.features.people.event_log import record_event
from ingot.kit.clock import today

BATCH = 500


def expire(tx: Connection) -> int:
    """Remove a batch of expired rows; returns how many."""
    if not any(tx.execute(_due(table)).first() for table in (members, group_group_links, project_group_links)):
        return 0
    take_turn(tx, exclusive=True)
    ended = _delete_expired(tx, members)
    group_shares, project_shares = _delete_expired(tx, group_group_links), _delete_expired(tx, project_group_links)
    groups = {row.group_id for row in (*ended, *group_shares) if row.group_id is not None}
    projects = {row.project_id for row in (*ended, *project_shares) if row.project_id is not None}
    if groups:
        refresh_groups(tx, groups)
    refresh_projects(tx, projects)
    for row in ended:
        report_removal(tx, row)
        if row.project_id is not None:
            record_event(tx, "expired", row.project_id, row.user_id)
    for user_id in sorted({row.user_id for row in ended}):
        unassign_user_later(tx, user_id)
    for group_id in sorted({row.group_id for row in group_shares}):
        unassign_in_group_later(tx, group_id)
    for project_id in sorted({row.project_id for row in project_shares}):
        unassign_in_project_later(tx, project_id)
    return len(ended) + len(group_shares) + len(project_shares)


def _delete_expired(tx: Connection, table: Table) -> list[Any]:
    return list(tx.execute(delete(table).where(table.c.id.in_(_due(table))).returning(*table.c)).all())


def _due(table: Table) -> Select[Any]:
    return select(table.c.id).where(table.c.expires_at <= today()).order_by(table.c.id).limit(BATCH)
