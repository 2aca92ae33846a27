"""Rows as typed records, for passing between functions."""

from datetime import date, datetime
from typing import Protocol


class InvitationRow(Protocol):
    """A row of `invitations`."""

    id: int
    group_id: int | None
    project_id: int | None
    email: str
    email_lower: str
    access_level: int
    member_role_id: int | None
    notification_level: int
    expires_at: date | None
    created_by_id: int | None
    created_at: datetime
    updated_at: datetime


class OpenInvitationRow(InvitationRow, Protocol):
    """An invitation with the group of its project."""

    namespace_id: int | None
