"""What is shown of protected branches and tags, with the names of the people and groups in their rules."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Table, null, select

from ingot.access.call import Call
from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER, NO_ACCESS
from ingot.access.tables import namespaces
from ingot.features.code.protected_branches.inherited import LEVELS_OF
from ingot.features.code.protected_branches.rows import (
    GrantRow,
    GroupProtectedBranchRow,
    ListedBranchRow,
    ProtectedTagRow,
)
from ingot.features.code.protected_branches.tables import protected_tag_access_levels
from ingot.identity.tables import users
from ingot.kit.entity import UNSET, Entity, UnsetType, group_by

DESCRIPTIONS = {
    NO_ACCESS: "No one",
    DEVELOPER: "Developers + Maintainers",
    MAINTAINER: "Maintainers",
    ADMIN: "Administrators",
}


class AccessGrant(Entity):
    """An access level: a role, a user or a group."""

    id: int
    access_level: int | None
    access_level_description: str
    deploy_key_id: int | None
    user_id: int | None
    group_id: int | None


class ProtectedBranch(Entity, kw_only=True):
    """A protected branch name or pattern."""

    id: int
    name: str
    push_access_levels: list[AccessGrant]
    merge_access_levels: list[AccessGrant]
    allow_force_push: bool
    unprotect_access_levels: list[AccessGrant] | UnsetType = UNSET
    code_owner_approval_required: bool | UnsetType = UNSET
    inherited: bool | UnsetType = UNSET


class ProtectedTag(Entity):
    """A protected tag name or pattern."""

    name: str
    create_access_levels: list[AccessGrant]


def present_branches(call: Call, rows: Sequence[ListedBranchRow]) -> list[ProtectedBranch]:
    """Protected branches of a project with their rules, in four statements for the page."""
    ids = group_by(rows, lambda row: row.inherited)
    grants = {
        inherited: _grants(call.conn, levels, "protected_branch_id", [row.id for row in ids.get(inherited, [])])
        for inherited, levels in LEVELS_OF.items()
    }
    is_paid = call.services.settings.has_tier("premium")
    return [
        _branch(row, grants[bool(row.inherited)].get(row.id, []), is_paid=is_paid, inherited=bool(row.inherited))
        for row in rows
    ]


def present_group_branches(call: Call, rows: Sequence[GroupProtectedBranchRow]) -> list[ProtectedBranch]:
    """Protected branches of a group with their rules."""
    grants = _grants(call.conn, LEVELS_OF[True], "protected_branch_id", [row.id for row in rows])
    return [_branch(row, grants.get(row.id, []), is_paid=True) for row in rows]


def _branch(
    row: ListedBranchRow | GroupProtectedBranchRow,
    grants: Sequence[tuple[str, AccessGrant]],
    *,
    is_paid: bool,
    inherited: bool = False,
) -> ProtectedBranch:
    of_kind = group_by(grants, lambda entry: entry[0])
    return ProtectedBranch(
        id=row.id,
        name=row.name,
        push_access_levels=[grant for _, grant in of_kind.get("push", [])],
        merge_access_levels=[grant for _, grant in of_kind.get("merge", [])],
        allow_force_push=row.allow_force_push,
        unprotect_access_levels=[g for _, g in of_kind.get("unprotect", [])] if is_paid else UNSET,
        code_owner_approval_required=row.code_owner_approval_required if is_paid else UNSET,
        inherited=inherited if is_paid else UNSET,
    )


def present_tags(call: Call, rows: Sequence[ProtectedTagRow]) -> list[ProtectedTag]:
    """Protected tags with their rules."""
    grants = _grants(call.conn, protected_tag_access_levels, "protected_tag_id", [row.id for row in rows])
    return [
        ProtectedTag(name=row.name, create_access_levels=[grant for _, grant in grants.get(row.id, [])]) for row in rows
    ]


def _grants(conn: Connection, levels: Table, key: str, ids: list[int]) -> dict[int, list[tuple[str, AccessGrant]]]:
    """Of each rule: kind and grant."""
    if not ids:
        return {}
    columns: list[ColumnElement[Any]] = list(levels.c)
    source: FromClause = levels
    if "user_id" in levels.c:
        source = levels.outerjoin(users, users.c.id == levels.c.user_id).outerjoin(
            namespaces, namespaces.c.id == levels.c.group_id
        )
        columns += [users.c.name.label("user_name"), namespaces.c.name.label("group_name")]
    else:
        columns += [null().label("user_id"), null().label("group_id")]
    statement = select(*columns).select_from(source).where(levels.c[key].in_(ids)).order_by(levels.c.id)
    rows = [(getattr(row, key), (getattr(row, "kind", "create"), _grant(row))) for row in conn.execute(statement)]
    return {owner: [entry for _, entry in entries] for owner, entries in group_by(rows, lambda row: row[0]).items()}


def _grant(row: GrantRow) -> AccessGrant:
    if row.user_id is not None:
        description = row.user_name
    elif row.group_id is not None:
        description = row.group_name
    else:
        description = DESCRIPTIONS.get(row.access_level or NO_ACCESS, str(row.access_level))
    return AccessGrant(
        id=row.id,
        # A person's or group's rule shows the role that it stands for.
        access_level=row.access_level if row.user_id is None and row.group_id is None else MAINTAINER,
        access_level_description=description,
        deploy_key_id=None,
        user_id=row.user_id,
        group_id=row.group_id,
    )
