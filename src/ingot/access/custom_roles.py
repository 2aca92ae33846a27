"""Permissions of custom roles: loaded only where the base role is not enough.

A member's custom role counts in the group or project that it was given in, and in everything below.
"""

from typing import Any

from sqlalchemy import Connection, or_, select

from ingot.access.call import Call
from ingot.access.subjects import Group, Project
from ingot.access.tables import member_roles, members, namespace_ancestors
from ingot.kit.clock import today


def attach(call: Call, subject: Project | Group) -> None:
    """Attach the caller's custom roles to a loaded project or group."""
    if call.actor.user_id is None or not subject.level or not call.services.settings.has_tier("ultimate"):
        return
    subject.custom = _Permissions(call, subject)


class _Permissions:
    """The caller's permissions on a subject, loaded when they are first asked for."""

    __slots__ = ("_call", "_known", "_subject")

    def __init__(self, call: Call, subject: Project | Group) -> None:
        self._call = call
        self._subject = subject
        self._known: frozenset[str] | None = None

    def __call__(self) -> frozenset[str]:
        if self._known is None:
            self._known = permissions_on(self._call.conn, self._call.actor.id, self._subject)
        return self._known


def permissions_on(conn: Connection, user_id: int, subject: Project | Group) -> frozenset[str]:
    """The permissions of all custom roles that the user has here."""
    is_project = isinstance(subject, Project)
    group_id = subject.namespace_id if is_project else subject.id
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == group_id)
    place: Any = members.c.group_id.in_(above)
    if is_project:
        place = or_(place, members.c.project_id == subject.id)
    rows = conn.execute(
        select(member_roles.c.permissions)
        .join_from(members, member_roles, member_roles.c.id == members.c.member_role_id)
        .where(members.c.user_id == user_id, place, or_(members.c.expires_at.is_(None), members.c.expires_at > today()))
    ).scalars()
    return frozenset(name for names in rows for name in names)
