"""Applying group links: at each sign-in, the groups from the identity provider become roles."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from ingot.access.authorizations import refresh_groups
from ingot.access.levels import OWNER
from ingot.access.member_changes import report_member, report_removal
from ingot.access.tables import members, namespace_ancestors
from ingot.access.turns import take_turn
from ingot.access.unassigning import unassign_user_later
from ingot.features.people.saml.rows import SamlGroupLinkRow
from ingot.features.people.saml.tables import saml_group_links
from ingot.identity.tables import users
from ingot.kit.clock import now, today


class Role(msgspec.Struct, frozen=True):
    """What a membership should be."""

    access_level: int
    member_role_id: int | None = None


class SyncRules(msgspec.Struct, frozen=True):
    """The scope of one sign-in. `fallback_role`: the role in the top-level group instead of a removal."""

    root_id: int
    provider_name: str
    fallback_role: int
    custom_roles: bool


def sync_memberships(tx: Connection, user_id: int, saml_groups: Iterable[str], rules: SyncRules) -> list[int]:
    """Bring the person's direct memberships in line with the links; returns the groups that changed.

    Groups without links are never touched. Equal roles are not written. The last owner keeps the role.
    """
    names = set(saml_groups)
    changed = []
    for group_id, links in _managed_groups(tx, rules).items():
        role = _highest_role(links, names, custom_roles=rules.custom_roles)
        if role is None and group_id == rules.root_id:
            role = Role(rules.fallback_role)
        if _apply(tx, user_id, group_id, role):
            changed.append(group_id)
    if changed:
        refresh_groups(tx, changed)
        unassign_user_later(tx, user_id)
    return changed


def ensure_member(tx: Connection, user_id: int, group_id: int, access_level: int) -> bool:
    """Make the person a member of the group, unless there is a membership already."""
    if _live_membership(tx, user_id, group_id) is not None:
        return False
    _write(tx, user_id, group_id, Role(access_level), None)
    refresh_groups(tx, [group_id])
    return True


def _managed_groups(tx: Connection, rules: SyncRules) -> dict[int, list[SamlGroupLinkRow]]:
    """Links by group, groups from the top down; a link of another provider does not concern this sign-in."""
    depth = namespace_ancestors.c.depth
    rows = tx.execute(
        select(saml_group_links, depth)
        .join(namespace_ancestors, namespace_ancestors.c.namespace_id == saml_group_links.c.group_id)
        .where(
            namespace_ancestors.c.ancestor_id == rules.root_id,
            or_(saml_group_links.c.provider == "", saml_group_links.c.provider == rules.provider_name),
        )
        .order_by(depth, saml_group_links.c.group_id, saml_group_links.c.id)
    )
    result: dict[int, list[SamlGroupLinkRow]] = {}
    for row in rows:
        result.setdefault(row.group_id, []).append(row)
    return result


def _highest_role(links: Sequence[SamlGroupLinkRow], names: set[str], *, custom_roles: bool) -> Role | None:
    """The highest role of the links that match; on a tie the higher custom role."""
    matching = [link for link in links if link.saml_group_name in names]
    if not matching:
        return None
    best = max(matching, key=lambda link: (link.access_level, link.member_role_id or 0))
    return Role(best.access_level, best.member_role_id if custom_roles else None)


def _apply(tx: Connection, user_id: int, group_id: int, role: Role | None) -> bool:
    current = _live_membership(tx, user_id, group_id)
    if current is not None and current.access_level == OWNER and _is_last_owner(tx, user_id, group_id):
        return False
    if role is None:
        if current is None:
            return False
        tx.execute(delete(members).where(members.c.id == current.id))
        report_removal(tx, current)
        return True
    if current is not None and (current.access_level, current.member_role_id) == (
        role.access_level,
        role.member_role_id,
    ):
        return False
    # A direct role below the inherited one has no effect and is refused elsewhere too.
    if current is None and role.access_level < _inherited_level(tx, user_id, group_id):
        return False
    _write(tx, user_id, group_id, role, current)
    return True


def _live_membership(tx: Connection, user_id: int, group_id: int) -> Row[Any] | None:
    return tx.execute(
        select(members).where(members.c.user_id == user_id, members.c.group_id == group_id, _is_live())
    ).one_or_none()


def _is_live() -> Any:
    return or_(members.c.expires_at.is_(None), members.c.expires_at > today())


def _write(tx: Connection, user_id: int, group_id: int, role: Role, current: Row[Any] | None) -> None:
    take_turn(tx, exclusive=True)
    moment = now()
    values = {
        "access_level": role.access_level,
        "member_role_id": role.member_role_id,
        "via_saml": True,
        "updated_at": moment,
    }
    here = (members.c.user_id == user_id, members.c.group_id == group_id)
    # Replace an expired membership.
    tx.execute(delete(members).where(*here, ~_is_live()))
    if not tx.execute(update(members).where(*here).values(**values)).rowcount:
        tx.execute(insert(members).values(user_id=user_id, group_id=group_id, created_at=moment, **values))
    report_member(tx, user_id, current, group_id=group_id)


def _above(group_id: int) -> Any:
    return select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == group_id)


def _inherited_level(tx: Connection, user_id: int, group_id: int) -> int:
    highest = tx.execute(
        select(func.max(members.c.access_level)).where(
            members.c.user_id == user_id,
            members.c.group_id.in_(_above(group_id).where(namespace_ancestors.c.depth > 0)),
            _is_live(),
        )
    ).scalar_one()
    return int(highest or 0)


def _is_last_owner(tx: Connection, user_id: int, group_id: int) -> bool:
    """No other person owns the group, directly or from above."""
    others = (
        select(members.c.id)
        .join(users, users.c.id == members.c.user_id)
        .where(
            members.c.group_id.in_(_above(group_id)),
            members.c.access_level == OWNER,
            members.c.user_id != user_id,
            users.c.kind == "human",
            users.c.state == "active",
            _is_live(),
        )
    )
    return tx.execute(others.limit(1)).first() is None
