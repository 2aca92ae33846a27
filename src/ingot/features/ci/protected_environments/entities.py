"""Protected environments on the wire."""

from collections.abc import Sequence
from typing import Any

from ingot.access.call import Call
from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER
from ingot.features.ci.protected_environments.queries import with_names
from ingot.features.ci.protected_environments.rows import NamedEntryRow, ProtectedEnvironmentRow
from ingot.kit.entity import Entity, group_by

ROLES = {DEVELOPER: "Developers + Maintainers", MAINTAINER: "Maintainers", ADMIN: "Administrators"}


class DeployAccess(Entity):
    """Who may deploy: a role, a user or a group."""

    id: int
    access_level: int | None
    access_level_description: str
    user_id: int | None
    group_id: int | None
    group_inheritance_type: int


class EnvironmentApprovalRule(DeployAccess):
    """Who has to approve, and how many of them."""

    required_approvals: int


class ProtectedEnvironment(Entity):
    """A protected environment of a project, or tier of a group."""

    name: str
    deploy_access_levels: list[DeployAccess]
    required_approval_count: int
    approval_rules: list[EnvironmentApprovalRule]


def entry_name(row: NamedEntryRow) -> str:
    """The role, or the name of the user or group."""
    if row.user_id is not None:
        return row.user_name or ""
    if row.group_id is not None:
        return row.group_name or ""
    return ROLES.get(row.access_level or 0, "")


def present(call: Call, rows: Sequence[ProtectedEnvironmentRow]) -> list[ProtectedEnvironment]:
    """A page of protected environments, in two statements."""
    query = with_names([row.id for row in rows])
    entries = group_by(
        call.conn.execute(query) if rows else (), lambda entry: (entry.protected_environment_id, entry.kind)
    )
    return [
        ProtectedEnvironment(
            name=row.name,
            deploy_access_levels=[DeployAccess(**_shown(entry)) for entry in entries.get((row.id, "deploy"), [])],
            required_approval_count=row.required_approval_count,
            approval_rules=[
                EnvironmentApprovalRule(**_shown(entry), required_approvals=entry.required_approvals)
                for entry in entries.get((row.id, "approval"), [])
            ],
        )
        for row in rows
    ]


def _shown(row: NamedEntryRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "access_level": row.access_level,
        "access_level_description": entry_name(row),
        "user_id": row.user_id,
        "group_id": row.group_id,
        "group_inheritance_type": row.group_inheritance_type,
    }
