"""Issues on the wire: the list form, and the single form, which extends it."""

from datetime import date, datetime

import msgspec

from ingot.features.people.users import UserBasic
from ingot.features.planning.issuables import References, TaskCompletion
from ingot.features.planning.labels import LabelDetail
from ingot.features.planning.milestones import Milestone
from ingot.features.planning.time_tracking import TimeStats
from ingot.kit.entity import UNSET, Entity, UnsetType


class Links(Entity):
    """Links of an issue."""

    self_: str = msgspec.field(name="self")
    notes: str
    award_emoji: str
    project: str
    closed_as_duplicate_of: str | None = None


class IssueBasic(Entity, kw_only=True):
    """The list form."""

    id: int
    iid: int
    project_id: int
    title: str
    description: str | None
    state: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None
    closed_by: UserBasic | None
    labels: list[str | LabelDetail]
    milestone: Milestone | None
    assignees: list[UserBasic]
    author: UserBasic | None
    type: str
    assignee: UserBasic | None
    user_notes_count: int
    merge_requests_count: int
    upvotes: int
    downvotes: int
    due_date: date | None
    confidential: bool
    discussion_locked: bool | None
    issue_type: str
    web_url: str
    time_stats: TimeStats
    task_completion_status: TaskCompletion
    weight: int | UnsetType | None = UNSET
    blocking_issues_count: int
    has_tasks: bool
    task_status: str
    links: Links = msgspec.field(name="_links")
    references: References
    severity: str
    moved_to_id: int | None
    imported: bool
    imported_from: str
    service_desk_reply_to: None = None
    health_status: str | UnsetType | None = UNSET


class Issue(IssueBasic, kw_only=True):
    """The single form."""

    subscribed: bool


class LinkedIssue(IssueBasic, kw_only=True):
    """An issue at the other end of a link."""

    issue_link_id: int
    link_type: str
    link_created_at: datetime
    link_updated_at: datetime


class IssueLink(Entity):
    """A link between two issues."""

    source_issue: IssueBasic
    target_issue: IssueBasic
    link_type: str


class Counts(Entity):
    """Issues by state."""

    all: int
    closed: int
    opened: int


class Statistics(Entity):
    """The counts."""

    counts: Counts


class IssuesStatistics(Entity):
    """Numbers of issues."""

    statistics: Statistics
