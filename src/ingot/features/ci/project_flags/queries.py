"""Reading feature flags: each page with its strategies and their environments in two statements more."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from ingot.features.ci.project_flags.rows import FlagRow, ScopeRow, StrategyRow, UserListRow
from ingot.features.ci.project_flags.tables import flag_scopes, flag_strategies, flag_user_lists, project_flags
from ingot.kit.entity import group_by
from ingot.kit.errors import RecordNotFound
from ingot.kit.letter_case import contains
from ingot.kit.pagination import Keyset

# Names are unique in a project.
FLAGS_BY_NAME = Keyset(project_flags.c.name, descending=False, label="name")
LISTS_BY_NAME = Keyset(flag_user_lists.c.name, descending=False, label="name")

_STRATEGIES = (
    select(
        flag_strategies,
        flag_user_lists.c.iid.label("list_iid"),
        flag_user_lists.c.name.label("list_name"),
        flag_user_lists.c.user_xids,
    )
    .join_from(flag_strategies, flag_user_lists, flag_user_lists.c.id == flag_strategies.c.user_list_id, isouter=True)
    .where(flag_strategies.c.flag_id.in_(bindparam("flag_ids", expanding=True)))
    .order_by(flag_strategies.c.id)
)
_SCOPES = (
    select(flag_scopes)
    .where(flag_scopes.c.strategy_id.in_(bindparam("strategy_ids", expanding=True)))
    .order_by(flag_scopes.c.id)
)
# Applications ask this every few seconds.
_FLAGS = (
    select(project_flags).where(project_flags.c.project_id == bindparam("project_id")).order_by(project_flags.c.name)
)


def listed(project_id: int, scope: str | None) -> Select[Any]:
    """The flags of a project, by name."""
    query = select(project_flags).where(project_flags.c.project_id == project_id).order_by(project_flags.c.name)
    return query if scope is None else query.where(project_flags.c.active.is_(scope == "enabled"))


def get_flag(conn: Connection, project_id: int, name: str) -> FlagRow:
    """One flag of a project."""
    row = conn.execute(listed(project_id, None).where(project_flags.c.name == name)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def flags_of(conn: Connection, project_id: int) -> Sequence[FlagRow]:
    """All flags of a project, of which there is a limited number."""
    return conn.execute(_FLAGS, {"project_id": project_id}).all()


def strategies_of(conn: Connection, flags: Sequence[FlagRow]) -> dict[int, list[StrategyRow]]:
    """The strategies of each flag."""
    ids = [flag.id for flag in flags]
    rows = conn.execute(_STRATEGIES, {"flag_ids": ids}).all() if ids else []
    return group_by(rows, lambda row: row.flag_id)


def scopes_of(conn: Connection, strategies: dict[int, list[StrategyRow]]) -> dict[int, list[ScopeRow]]:
    """The environments of each strategy."""
    ids = [strategy.id for several in strategies.values() for strategy in several]
    rows = conn.execute(_SCOPES, {"strategy_ids": ids}).all() if ids else []
    return group_by(rows, lambda row: row.strategy_id)


def user_lists(project_id: int, search: str | None) -> Select[Any]:
    """The user lists of a project, by name."""
    query = select(flag_user_lists).where(flag_user_lists.c.project_id == project_id).order_by(flag_user_lists.c.name)
    return query if not search else query.where(contains(flag_user_lists.c.name, search))


def get_user_list(conn: Connection, project_id: int, iid: int) -> UserListRow:
    """One user list of a project."""
    row = conn.execute(user_lists(project_id, None).where(flag_user_lists.c.iid == iid)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row
