"""Maintainers of a project and Owners of a group manage its tokens; bots cannot make further ones."""

from sqlalchemy import Connection, select

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER
from ingot.features.members import Source
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.errors import Unauthorized

READ_PROJECT_TOKENS = ProjectAbility(
    ability="read_resource_access_tokens", level=MAINTAINER, needs_user=True, refusal=Unauthorized
)
READ_GROUP_TOKENS = GroupAbility(
    ability="read_resource_access_tokens", level=OWNER, needs_user=True, refusal=Unauthorized
)


def may_manage(actor: Actor, source: Source, level: int) -> bool:
    """The actor may revoke and rotate the tokens here."""
    return actor.is_admin or level >= (OWNER if source.is_group else MAINTAINER)


def may_create(conn: Connection, actor: Actor, source: Source, level: int) -> bool:
    """The actor may make tokens here: people only, so that no token outlives the one who gave it."""
    return may_manage(actor, source, level) and not is_bot(conn, actor)


def is_bot(conn: Connection, actor: Actor) -> bool:
    """The call was made with a token of a project or group."""
    return conn.execute(select(users.c.kind).where(users.c.id == actor.user_id)).scalar_one_or_none() == "project_bot"
