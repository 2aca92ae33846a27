"""Protected branches, tags and environments."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.ci.protected_environments import protected_environment_entries, protected_environments
from ingot.features.code.protected_branches import (
    protected_branch_access_levels,
    protected_branches,
    protected_tag_access_levels,
    protected_tags,
)
from ingot.features.transfer.project_exports.leftovers import preserved_for, preserved_records
from ingot.features.transfer.project_exports.records import batches, times
from ingot.features.transfer.project_exports.rows import GrantRow, TimedRow
from ingot.kit.entity import group_by
from ingot.kit.services import Services


def _level(grant: GrantRow, row: TimedRow) -> dict[str, Any]:
    level = 40 if grant.access_level is None else grant.access_level
    return {"access_level": level, "user_id": grant.user_id, "group_id": grant.group_id, **times(row)}


def branches(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Protected branches and who may still push and merge."""
    table, levels = protected_branches, protected_branch_access_levels
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), table.c.id):
        ids = [row.id for row in rows]
        records = conn.execute(select(levels).where(levels.c.protected_branch_id.in_(ids)).order_by(levels.c.id))
        grants = group_by(records, lambda grant: (grant.protected_branch_id, grant.kind))
        remaining = preserved_for(conn, project.id, "protected_branches", ids)
        for row in rows:
            yield {
                **remaining.get(row.id, {}),
                "name": row.name,
                "project_id": row.project_id,
                **times(row),
                "code_owner_approval_required": row.code_owner_approval_required,
                "allow_force_push": row.allow_force_push,
                **{
                    f"{kind}_access_levels": [_level(grant, row) for grant in grants.get((row.id, kind), [])]
                    for kind in ("merge", "push", "unprotect")
                },
            }


def tags(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Protected tags and who may create them."""
    table, levels = protected_tags, protected_tag_access_levels
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), table.c.id):
        ids = [row.id for row in rows]
        records = conn.execute(select(levels).where(levels.c.protected_tag_id.in_(ids)).order_by(levels.c.id))
        grants = group_by(records, lambda grant: grant.protected_tag_id)
        remaining = preserved_for(conn, project.id, "protected_tags", ids)
        for row in rows:
            yield {
                **remaining.get(row.id, {}),
                "name": row.name,
                "project_id": row.project_id,
                **times(row),
                "create_access_levels": [_level(grant, row) for grant in grants.get(row.id, [])],
            }


def environments(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Protected environments, who may deploy and who approves; and those that came when they were only preserved."""
    yield from preserved_records(conn, project.id, "protected_environments")
    table, entries = protected_environments, protected_environment_entries
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), table.c.id):
        ids = [row.id for row in rows]
        query = select(entries).where(entries.c.protected_environment_id.in_(ids)).order_by(entries.c.id)
        grants = group_by(conn.execute(query), lambda entry: (entry.protected_environment_id, entry.kind))
        remaining = preserved_for(conn, project.id, "protected_environments", ids)
        for row in rows:
            yield {
                **remaining.get(row.id, {}),
                "name": row.name,
                "project_id": row.project_id,
                **times(row),
                "required_approval_count": row.required_approval_count,
                "deploy_access_levels": [
                    {**_level(one, row), "group_inheritance_type": one.group_inheritance_type}
                    for one in grants.get((row.id, "deploy"), [])
                ],
                "approval_rules": [
                    {
                        **_level(one, row),
                        "group_inheritance_type": one.group_inheritance_type,
                        "required_approvals": one.required_approvals,
                    }
                    for one in grants.get((row.id, "approval"), [])
                ],
            }
