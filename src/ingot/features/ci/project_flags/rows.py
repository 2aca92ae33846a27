"""Rows as typed records."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol


class FlagRow(Protocol):
    """A row of `project_flags`."""

    id: int
    project_id: int
    name: str
    description: str | None
    active: bool
    created_at: datetime
    updated_at: datetime


class StrategyRow(Protocol):
    """A row of `flag_strategies`, with what is needed of its user list."""

    id: int
    flag_id: int
    name: str
    parameters: Mapping[str, str]
    user_list_id: int | None
    list_iid: int | None
    list_name: str | None
    user_xids: str | None


class ScopeRow(Protocol):
    """A row of `flag_scopes`."""

    id: int
    strategy_id: int
    environment_scope: str


class UserListRow(Protocol):
    """A row of `flag_user_lists`."""

    id: int
    iid: int
    project_id: int
    name: str
    user_xids: str
    created_at: datetime
    updated_at: datetime
