"""Who may create and share groups."""

from dataclasses import replace

from sqlalchemy import Connection, select

from ingot.access.levels import MAINTAINER, OWNER
from ingot.access.policy import OWN_GROUP
from ingot.access.subjects import Group
from ingot.features.spaces.groups.settings import GroupSettings
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.errors import ApiError


class _NotFound(ApiError):
    """Not Found"""

    status = 404


# For callers who may not share, the link does not exist.
SHARE_GROUP = replace(OWN_GROUP, ability="share_group", refusal=_NotFound)


def may_create_top_level(conn: Connection, actor: Actor) -> bool:
    """The actor may create a group without a parent."""
    if actor.is_admin:
        return True
    if actor.is_external or not application_setting(conn, "can_create_group"):
        return False
    return bool(conn.execute(select(users.c.can_create_group).where(users.c.id == actor.id)).scalar_one())


def may_create_subgroup(actor: Actor, parent: Group) -> bool:
    """The actor may create a group below this one."""
    if parent.marked_for_deletion_on is not None:
        return False
    needed = OWNER if GroupSettings.of(parent).subgroup_creation_level == "owner" else MAINTAINER
    return actor.is_admin or bool(parent.level >= needed)


def may_create_group(conn: Connection, actor: Actor, parent: Group | None) -> bool:
    """The actor may create a group below `parent`, or at the top."""
    return may_create_top_level(conn, actor) if parent is None else may_create_subgroup(actor, parent)
