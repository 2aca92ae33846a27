"""Reading service accounts."""

from typing import Any

from sqlalchemy import Connection, Select, select

from ingot.features.people.service_accounts.params import ListAccounts
from ingot.identity.rows import UserRow
from ingot.identity.tables import service_accounts, users
from ingot.kit.pagination import Keyset


def accounts_of(group_id: int | None) -> Select[Any]:
    """The accounts of the group, or those of the instance."""
    home = service_accounts.c.group_id
    here = home.is_(None) if group_id is None else home == group_id
    return select(users).join(service_accounts, service_accounts.c.user_id == users.c.id).where(here)


def listed(group_id: int | None, options: ListAccounts) -> tuple[Select[Any], Keyset]:
    """The accounts in the order of the request, and how the list continues."""
    column = users.c.username_lower if options.order_by == "username" else users.c.id  # either is unique
    descending = options.sort == "desc"
    query = accounts_of(group_id).order_by(column.desc() if descending else column.asc())
    return query, Keyset(column, descending, label=column.name)


def find(conn: Connection, group_id: int | None, user_id: int) -> UserRow | None:
    """One account, or None."""
    return conn.execute(accounts_of(group_id).where(users.c.id == user_id)).one_or_none()


def departing() -> Select[Any]:
    """Accounts whose group is gone."""
    home = select(service_accounts.c.user_id).where(service_accounts.c.user_id == users.c.id)
    return select(users.c.id).where(users.c.kind == "service_account", ~home.exists()).order_by(users.c.id).limit(100)
