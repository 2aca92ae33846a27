"""Sharing a group with another: the invited group's members get a role in it, up to a level."""

from datetime import date, datetime

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from ingot.access.authorizations import refresh_groups
from ingot.access.namespaces import top_of
from ingot.access.rows import NamespaceRow
from ingot.access.tables import group_group_links
from ingot.access.turns import take_turn
from ingot.access.unassigning import unassign_in_group_later
from ingot.features.spaces.groups.settings import GroupSettings
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now, today
from ingot.kit.errors import Failure, Invalid, NotFound


def share_group(
    tx: Connection, group: NamespaceRow, invited: NamespaceRow | None, access_level: int, expires_at: date | None
) -> None:
    """Invite a group that the actor can see; None if it is hidden."""
    take_turn(tx, exclusive=True)
    if invited is None or not _may_be_invited(tx, group, invited):
        raise Failure(404, "Not Found")
    if invited.id == group.id:
        raise Failure(409, "Shared group cannot be shared with itself")
    if expires_at is not None and expires_at < today():
        raise Invalid({"expires_at": ["cannot be a date in the past"]})
    links = group_group_links
    tx.execute(
        delete(links).where(
            links.c.group_id == group.id, links.c.invited_group_id == invited.id, links.c.expires_at <= today()
        )
    )
    try:
        with tx.begin_nested():
            tx.execute(
                insert(links).values(
                    group_id=group.id,
                    invited_group_id=invited.id,
                    access_level=access_level,
                    expires_at=expires_at,
                    created_at=now(),
                )
            )
    except IntegrityError:
        raise Failure(409, "Shared group The group has already been shared with this group") from None
    refresh_groups(tx, [group.id])
    details = {"access_level": access_level}
    report_change(tx, Change("share", "create", invited.id, group_id=group.id, details=details))


def shared_since(conn: Connection, group_id: int, invited_id: int) -> datetime | None:
    """When the group was shared with this one, if it is."""
    links = group_group_links
    query = select(links.c.created_at).where(links.c.group_id == group_id, links.c.invited_group_id == invited_id)
    return conn.execute(query).scalar_one_or_none()


def unshare_group(tx: Connection, group_id: int, invited_id: int) -> None:
    """End a share."""
    take_turn(tx, exclusive=True)
    links = group_group_links
    gone = tx.execute(delete(links).where(links.c.group_id == group_id, links.c.invited_group_id == invited_id))
    if gone.rowcount == 0:
        raise NotFound("Group Link")
    refresh_groups(tx, [group_id])
    report_change(tx, Change("share", "delete", invited_id, group_id=group_id))
    unassign_in_group_later(tx, group_id)


def _may_be_invited(tx: Connection, group: NamespaceRow, invited: NamespaceRow) -> bool:
    """A top-level group can keep its shares within its own tree."""
    top = top_of(tx, group.id)
    if not GroupSettings.of(top).prevent_sharing_groups_outside_hierarchy:
        return True
    return bool(top_of(tx, invited.id).id == top.id)
