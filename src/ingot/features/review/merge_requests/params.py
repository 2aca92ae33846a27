"""Parameters of the three lists: one shared set, and what each list adds."""

from datetime import datetime
from typing import Any, ClassVar

from ingot.kit.params import Paging, Param, Params

SCOPES = ("created-by-me", "assigned-to-me", "created_by_me", "assigned_to_me", "reviews_for_me", "all")
ORDERS = (
    "created_at", "label_priority", "milestone_due", "popularity", "priority", "title", "updated_at", "merged_at",
)  # fmt: skip


class Negation(Params):
    """`not[...]`: requests that do not match."""

    labels: list[str] = Param("None of these labels.", comma=True)
    milestone: str | None = Param("Another milestone, or none.")
    author_id: int | None = Param("Written by somebody else.")
    author_username: str | None = Param("Written by somebody else.")
    assignee_id: int | None = Param("Not assigned to this user.")
    assignee_username: list[str] = Param("Not assigned to any of these users.", comma=True)
    reviewer_id: int | None = Param("Not reviewed by this user.")
    reviewer_username: str | None = Param("Not reviewed by this user.")
    my_reaction_emoji: str | None = Param("The caller did not react with it.")
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("author_id", "author_username"),
        ("assignee_id", "assignee_username"),
        ("reviewer_id", "reviewer_username"),
    )


class ListFilters(Paging):
    """What the global, project and group lists share."""

    approved_by_ids: list[Any] = Param("Approved by all of these users (at most 5).", words=True, comma=True)
    approved_by_usernames: list[str] = Param("Approved by all of these users (at most 5).", words=True, comma=True)
    approver_ids: list[Any] = Param("All of these users are approvers.", words=True, comma=True)
    approved: str | None = Param("`yes` or `no`; with the flag `mr_approved_filter`.", one_of=("yes", "no"))
    assignee_id: int | None = Param("Assigned to this user.", words=True)
    assignee_username: list[str] = Param("Assigned to all of these users.", comma=True)
    author_id: int | None = Param("Written by this user.")
    author_username: str | None = Param("Written by this user.")
    created_after: datetime | None = Param("Created at this time or later.")
    created_before: datetime | None = Param("Created at this time or earlier.")
    deployed_after: str | None = Param("Deployed later than this time.")
    deployed_before: str | None = Param("Deployed earlier than this time.")
    environment: str | None = Param("Deployed to this environment.")
    in_: str = Param("Where to search: `title`, `description`.", wire="in", default="title,description")
    iids: list[int] = Param("Only these internal ids.", comma=True)
    labels: list[str] = Param("Has all of these labels.", words=True, comma=True)
    merge_user_id: int | None = Param("Merged by this user.")
    merge_user_username: str | None = Param("Merged by this user.")
    milestone: str | None = Param("Milestone title, `None` or `Any`.", words=True)
    my_reaction_emoji: str | None = Param("The caller reacted with it.", words=True)
    not_: Negation | None = Param("Requests that do not match.", wire="not")
    order_by: str = Param("Order.", default="created_at", one_of=ORDERS)
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))
    reviewer_id: int | None = Param("Reviewed by this user.", words=True)
    reviewer_username: str | None = Param("Reviewed by this user.", words=True)
    scope: str | None = Param("Whose requests.", one_of=SCOPES)
    search: str | None = Param("Words in title or description.")
    source_branch: str | None = Param("Exact source branch.")
    source_project_id: int | None = Param("Exact source project.")
    target_branch: str | None = Param("Exact target branch.")
    state: str = Param("State.", default="all", one_of=("opened", "closed", "locked", "merged", "all", ""))
    updated_after: datetime | None = Param("Changed at this time or later.")
    updated_before: datetime | None = Param("Changed at this time or earlier.")
    view: str | None = Param("`simple` for a short form.", one_of=("simple",))
    with_labels_details: bool = Param("Labels as objects.", default=False)
    with_merge_status_recheck: bool = Param("Recheck mergeability of what is shown.", default=False)
    wip: str | None = Param("`yes`: drafts, `no`: others.", one_of=("yes", "no"))
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("author_id", "author_username"),
        ("assignee_id", "assignee_username"),
        ("reviewer_id", "reviewer_username"),
        ("merge_user_id", "merge_user_username"),
        ("approved_by_ids", "approved_by_usernames"),
    )


class GlobalFilters(ListFilters):
    """The list of all requests."""

    scope: str = Param("Whose requests.", default="created_by_me", one_of=SCOPES)


class GroupFilters(ListFilters):
    """The list of a group."""

    non_archived: bool = Param("Leave archived projects out.", default=True)


class CommitRequests(Paging):
    """How the merge requests of a commit are shown."""

    state: str = Param("Only requests in this state.", default="all", one_of=("opened", "closed", "merged", "all"))
    view: str | None = Param("`simple` for fewer fields.")
    with_labels_details: bool = Param("Labels as objects.", default=False)
