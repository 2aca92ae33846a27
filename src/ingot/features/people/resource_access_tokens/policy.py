"""Maintainers of a project, Owners of a group and custom roles manage its tokens; bots cannot make further ones."""

from sqlalchemy import Connection, select

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER
from ingot.access.subjects import Group, Project
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.errors import Unauthorized

READ_PROJECT_TOKENS = ProjectAbility(
    ability="read_resource_access_tokens",
    level=MAINTAINER,
    needs_user=True,
    refusal=Unauthorized,
    permission="manage_project_access_tokens",
)
READ_GROUP_TOKENS = GroupAbility(
    ability="read_resource_access_tokens",
    level=OWNER,
    needs_user=True,
    refusal=Unauthorized,
    permission="manage_group_access_tokens",
)


def may_manage(actor: Actor, subject: Group | Project) -> bool:
    """The actor may revoke and rotate the tokens here."""
    if isinstance(subject, Group):
        return READ_GROUP_TOKENS.allows(actor, subject)
    return READ_PROJECT_TOKENS.allows(actor, subject)


def may_create(conn: Connection, actor: Actor, subject: Group | Project) -> bool:
    """The actor may create tokens here: users only, so that bots cannot create further tokens."""
    return may_manage(actor, subject) and not is_bot(conn, actor)


def may_give(actor: Actor, own_level: int, level: int) -> bool:
    """A token gets at most the creator's own role."""
    return actor.is_admin or level <= own_level


def is_bot(conn: Connection, actor: Actor) -> bool:
    """The call was made with a token of a project or group."""
    return conn.execute(select(users.c.kind).where(users.c.id == actor.user_id)).scalar_one_or_none() == "project_bot"


def sees_all_tokens(actor: Actor) -> bool:
    """Only administrators learn that there is no such token."""
    return actor.is_admin
