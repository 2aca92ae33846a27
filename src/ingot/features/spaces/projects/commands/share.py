"""Sharing a project with a group, and ending it."""

from datetime import date, datetime

import msgspec
from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from ingot.access.authorizations import refresh_projects
from ingot.access.levels import OWNER
from ingot.access.policy import OWN_PROJECT
from ingot.access.subjects import Project, find_group
from ingot.access.tables import namespace_ancestors, namespaces, project_group_links
from ingot.access.turns import take_turn
from ingot.access.unassigning import unassign_in_project_later
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now, today
from ingot.kit.errors import Conflict, Failure, Forbidden, Invalid, NotFound

LOCKED = "The project sharing with group is disabled"
TWICE = "Group already shared with this group"
OWN_GROUP = "Project cannot be shared with the group it is in or one of its ancestors."


class Share(msgspec.Struct, frozen=True):
    """The group to share with."""

    group_id: int
    access_level: int
    expires_at: date | None


def share_project(tx: Connection, actor: Actor, project: Project, options: Share) -> int:
    """Invite a group; returns the link's id."""
    take_turn(tx, exclusive=False)
    if _is_locked(tx, project):
        raise Failure(400, LOCKED)
    group = find_group(tx, actor, options.group_id)
    if group is None:
        raise Failure(404, "Not Found")
    if options.access_level >= OWNER and not OWN_PROJECT.allows(actor, project):
        raise Forbidden
    above = select(namespace_ancestors.c.ancestor_id).where(
        namespace_ancestors.c.namespace_id == project.namespace_id, namespace_ancestors.c.ancestor_id == group.id
    )
    if tx.execute(above).first() is not None:
        raise Conflict(OWN_GROUP)
    if options.expires_at is not None and options.expires_at < today():
        raise Invalid({"expires_at": ["cannot be a date in the past"]})
    created = (
        insert(project_group_links)
        .values(
            project_id=project.id,
            group_id=group.id,
            access_level=options.access_level,
            expires_at=options.expires_at,
            created_at=now(),
        )
        .returning(project_group_links.c.id)
    )
    try:
        with tx.begin_nested():
            link_id = int(tx.execute(created).scalar_one())
    except IntegrityError:
        raise Conflict(TWICE) from None
    refresh_projects(tx, [project.id])
    details = {"access_level": options.access_level}
    report_change(tx, Change("share", "create", group.id, project_id=project.id, details=details))
    return link_id


def shared_since(conn: Connection, project_id: int, group_id: int) -> datetime | None:
    """When the project was shared with this group, if it is."""
    link = project_group_links
    query = select(link.c.created_at).where(link.c.project_id == project_id, link.c.group_id == group_id)
    return conn.execute(query).scalar_one_or_none()


def unshare_project(tx: Connection, actor: Actor, project: Project, group_id: int) -> None:
    """End a share; one at the Owner level only by Owners."""
    link = project_group_links
    here = (link.c.project_id == project.id) & (link.c.group_id == group_id)
    row = tx.execute(select(link.c.access_level).where(here)).one_or_none()
    if row is None:
        raise NotFound("Group Link")
    if row.access_level >= OWNER and not OWN_PROJECT.allows(actor, project):
        raise Failure(403, "Forbidden")
    tx.execute(delete(link).where(here))
    report_change(tx, Change("share", "delete", group_id, project_id=project.id))
    refresh_projects(tx, [project.id])
    unassign_in_project_later(tx, project.id)


def _is_locked(tx: Connection, project: Project) -> bool:
    settings = tx.execute(select(namespaces.c.settings).where(namespaces.c.id == project.namespace_id)).scalar_one()
    return bool((settings or {}).get("share_with_group_lock"))
