"""Rows as typed records, for where they cross the border of a function."""

from typing import Protocol


class MemberRoleRow(Protocol):
    """What may be read of a row of `member_roles`."""

    id: int
    name: str
    description: str | None
    group_id: int | None
    base_access_level: int
    permissions: list[str]
