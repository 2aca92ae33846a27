"""Parameters of the lists of issues, and of opening and changing one."""

from datetime import date, datetime
from typing import ClassVar

from ingot.features.planning.issues.params_single import OneIssue
from ingot.kit.params import Paging, Param, Params

SCOPES = ("created-by-me", "assigned-to-me", "created_by_me", "assigned_to_me", "all")
ORDERS = (
    "created_at", "due_date", "label_priority", "milestone_due", "popularity", "priority", "relative_position",
    "title", "updated_at", "weight",
)  # fmt: skip
DUE = ("0", "any", "today", "tomorrow", "overdue", "week", "month", "next_month_and_previous_two_weeks", "")
TYPES = ("issue", "incident", "test_case", "requirement", "task", "ticket")
MILESTONE_WORDS = ("Any", "None", "Upcoming", "Started")


class Negation(Params):
    """`not[...]`: issues that do not match."""

    labels: list[str] = Param("None of these labels.", comma=True)
    milestone: str | None = Param("Another milestone, or none.")
    milestone_id: str | None = Param("Another kind of milestone.", one_of=MILESTONE_WORDS)
    iids: list[int] = Param("None of these internal ids.", comma=True)
    author_id: int | None = Param("Written by somebody else.")
    author_username: str | None = Param("Written by somebody else.")
    assignee_id: int | None = Param("Not assigned to this user.")
    assignee_username: list[str] = Param("Not assigned to any of these users.", comma=True)
    weight: int | None = Param("Another weight.")
    my_reaction_emoji: str | None = Param("The caller did not react with it.")
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("author_id", "author_username"),
        ("assignee_id", "assignee_username"),
        ("milestone_id", "milestone"),
    )


class Filters(Params):
    """What the lists and the statistics share."""

    labels: list[str] = Param("Has all of these labels.", words=True, comma=True)
    milestone: str | None = Param("Milestone title, `None` or `Any`.", words=True)
    milestone_id: str | None = Param("`None`, `Any`, `Upcoming` or `Started`.", one_of=MILESTONE_WORDS)
    iids: list[int] = Param("Only these internal ids.", comma=True)
    search: str | None = Param("Words in title or description.")
    in_: str = Param("Where to search: `title`, `description`.", wire="in", default="title,description")
    author_id: int | None = Param("Written by this user.")
    author_username: str | None = Param("Written by this user.")
    assignee_id: int | None = Param("Assigned to this user.", words=True)
    assignee_username: list[str] = Param("Assigned to all of these users.", comma=True)
    created_after: datetime | None = Param("Created at this time or later.")
    created_before: datetime | None = Param("Created at this time or earlier.")
    updated_after: datetime | None = Param("Changed at this time or later.")
    updated_before: datetime | None = Param("Changed at this time or earlier.")
    confidential: bool | None = Param("Only confidential issues, or only public ones.")
    my_reaction_emoji: str | None = Param("The caller reacted with it.", words=True)
    scope: str | None = Param("Whose issues.", one_of=SCOPES)
    weight: int | None = Param("Exact weight, `None` or `Any`.", words=True)
    health_status: str | None = Param(
        "Health, `None` or `Any`.", words=True, one_of=("on_track", "needs_attention", "at_risk")
    )
    issue_type: str | None = Param("Kind of issue.", one_of=TYPES)
    due_date: str | None = Param("When it is due.", one_of=DUE)
    not_: Negation | None = Param("Issues that do not match.", wire="not")
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("author_id", "author_username"),
        ("assignee_id", "assignee_username"),
        ("milestone_id", "milestone"),
    )


class ListFilters(Filters, Paging):
    """What the global, project and group lists share."""

    state: str = Param("State.", default="all", one_of=("opened", "closed", "all", ""))
    order_by: str = Param("Order.", default="created_at", one_of=ORDERS)
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))
    with_labels_details: bool = Param("Labels as objects.", default=False)


class GlobalFilters(ListFilters):
    """The list of all issues."""

    scope: str = Param("Whose issues.", default="created_by_me", one_of=SCOPES)
    non_archived: bool = Param("Leave archived projects out.", default=True)


class GroupFilters(ListFilters):
    """The list of a group."""

    non_archived: bool = Param("Leave archived projects out.", default=True)


class GlobalStatistics(Filters):
    """Numbers of all issues."""

    scope: str = Param("Whose issues.", default="created_by_me", one_of=SCOPES)


class Attributes(Params):
    """What can be set when opening and when changing."""

    description: str | None = Param("Description, at most 1,048,576 characters.")
    assignee_ids: list[int] = Param("Assignees; 0 or empty for none.", comma=True)
    assignee_id: int | None = Param("Assignee; 0 or empty for none.")
    milestone_id: int | None = Param("Global milestone id; 0 or empty for none.")
    labels: list[str] = Param("Labels; replaces all, empty for none.", comma=True)
    add_labels: list[str] = Param("Labels to add.", comma=True)
    remove_labels: list[str] = Param("Labels to remove.", comma=True)
    due_date: date | None = Param("Due date; empty for none.")
    confidential: bool | None = Param("Confidential: only planners, the author and assignees may read it.")
    discussion_locked: bool | None = Param("Only members may comment.")
    issue_type: str | None = Param("Kind of issue.", one_of=TYPES)
    weight: int | None = Param("Weight; empty for none.")


class CreateIssue(Attributes):
    """A new issue."""

    title: str = Param("Title.", required=True)
    created_at: datetime | None = Param("When it was opened (owners and administrators).")
    iid: int | None = Param("Chosen internal id (owners and administrators).")
    merge_request_to_resolve_discussions_of: int | None = Param(
        "Internal id of a merge request whose open threads are resolved by this issue."
    )
    discussion_to_resolve: str | None = Param("Only this thread of that merge request.")


class UpdateIssue(OneIssue, Attributes):
    """Changes of an issue."""

    title: str | None = Param("Title.")
    state_event: str | None = Param("`close` or `reopen`.", one_of=("close", "reopen"))
    updated_at: datetime | None = Param("When it was changed (owners and administrators).")
    at_least_one: ClassVar[tuple[str, ...]] = (
        "assignee_id", "assignee_ids", "confidential", "description", "discussion_locked", "due_date", "labels",
        "add_labels", "remove_labels", "milestone_id", "state_event", "title", "issue_type", "weight",
    )  # fmt: skip


class ListOfIssue(OneIssue, Paging):
    """A list that belongs to an issue."""
