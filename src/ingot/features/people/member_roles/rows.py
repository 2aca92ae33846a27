"""Rows as typed records, for passing between functions."""

from typing import Protocol


class MemberRoleRow(Protocol):
    """A row of `member_roles`."""

    id: int
    name: str
    description: str | None
    group_id: int | None
    base_access_level: int
    permissions: list[str]
