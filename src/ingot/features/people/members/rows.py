"""Rows as typed records, for passing between functions."""

from datetime import date, datetime
from typing import Protocol

from ingot.identity.rows import BasicUserRow


class MemberRow(BasicUserRow, Protocol):
    """A person in a group or project: `id` is the person's, `member_id` the membership's."""

    email: str
    kind: str
    member_id: int
    access_level: int
    member_role_id: int | None
    joined_at: datetime
    created_by_id: int | None
    expires_at: date | None
    changed_at: datetime


class InheritedMemberRow(Protocol):
    """A role inherited from a parent group."""

    access_level: int
    name: str


class NewMemberRow(Protocol):
    """A user who will become a member."""

    id: int
    username: str
    kind: str
