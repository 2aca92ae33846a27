"""Rows as typed records, for passing between functions."""

from datetime import date, datetime
from typing import Protocol


class ProjectExportRow(Protocol):
    """A row of `project_exports`."""

    id: int
    project_id: int
    user_id: int
    status: str
    description: str | None
    sealed_upload_url: str | None
    upload_method: str | None
    blob_key: str | None
    error: str | None
    created_at: datetime
    updated_at: datetime


class TimedRow(Protocol):
    """A row of any table that has the two moments."""

    created_at: datetime
    updated_at: datetime


class MembershipRow(TimedRow, Protocol):
    """A membership, or an invitation to become a member."""

    access_level: int
    notification_level: int
    created_by_id: int | None
    expires_at: date | None


class MemberRow(MembershipRow, Protocol):
    """A member with what recognises the person."""

    user_id: int
    username: str
    email: str
    public_email: str | None


class GrantRow(Protocol):
    """An access level of a protected branch or tag."""

    access_level: int | None
    user_id: int | None
    group_id: int | None


class PreservedFile(Protocol):
    """A file that an import brought and nobody here reads."""

    path: str
    blob_key: str
    size: int
