"""Rows as typed records, for passing between functions."""

from datetime import date, datetime
from typing import Protocol

from ingot.features.planning.issuables import IssuableRow


class IssueLinkRow(Protocol):
    """A row of `issue_links`."""

    id: int
    source_id: int
    target_id: int
    link_type: str
    created_at: datetime
    updated_at: datetime


class IssueRow(IssuableRow, Protocol):
    """A row of `issues`."""

    confidential: bool
    issue_type: str
    weight: int | None
    due_date: date | None
    closed_at: datetime | None
    closed_by_id: int | None
    updated_by_id: int | None
    last_edited_at: datetime | None
    last_edited_by_id: int | None
    health_status: str | None
    moved_to_id: int | None
    external_key: str | None
    relative_position: int | None


class IssueWithProject(IssueRow, Protocol):
    """An issue with columns of its project, as `with_project` selects it."""

    project_path: str
    project_namespace_id: int
    project_archived: bool
    project_default_branch: str | None
    project_repository_storage: str


class IssueWithAssignee(IssueWithProject, Protocol):
    """An issue that an actor reads, and whether that actor is assigned to it."""

    is_assignee: bool


class LinkedIssueRow(IssueWithProject, Protocol):
    """An issue at the other end of a link, with the link."""

    link_id: int
    link_source_id: int
    kind_of_link: str
    link_created: datetime
    link_updated: datetime


class IssueStateEventRow(Protocol):
    """A row of `issue_state_events`."""

    id: int
    issue_id: int
    user_id: int | None
    state: str
    created_at: datetime
