"""Reading the tokens of a project or group."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from ingot.access.tables import members
from ingot.features.people.members import Source
from ingot.features.people.resource_access_tokens.rows import ResourceTokenRow
from ingot.features.people.resource_access_tokens.tables import resource_bots as bots
from ingot.identity.tables import personal_access_tokens as tokens


def in_source(source: Source) -> Select[Any]:
    """The tokens of the bots of exactly this project or group."""
    role = and_(members.c.user_id == bots.c.user_id, source.direct)
    return (
        select(
            tokens, bots.c.project_id, bots.c.group_id, func.coalesce(members.c.access_level, 0).label("access_level")
        )
        .join_from(tokens, bots, bots.c.user_id == tokens.c.user_id)
        .outerjoin(members, role)
        .where(_home(source), ~tokens.c.impersonation)
    )


def find(conn: Connection, source: Source, token_id: int) -> ResourceTokenRow | None:
    """One token of the project or group, or None."""
    return conn.execute(in_source(source).where(tokens.c.id == token_id)).one_or_none()


def get(conn: Connection, source: Source, token_id: int) -> ResourceTokenRow:
    """A token of the project or group that is there."""
    return conn.execute(in_source(source).where(tokens.c.id == token_id)).one()


def _home(source: Source) -> ColumnElement[bool]:
    return (bots.c.group_id if source.is_group else bots.c.project_id) == source.id
