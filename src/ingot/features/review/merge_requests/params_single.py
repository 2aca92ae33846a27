"""Parameters of single requests: reading, opening and changing."""

from typing import ClassVar

from ingot.kit.params import Param, Params


class OneMergeRequest(Params):
    """The number in the path."""

    merge_request_iid: int = Param("Internal id of the request.", required=True)


class GetMergeRequest(OneMergeRequest):
    """What a single read may add."""

    render_html: bool = Param("Add title and description as HTML.", default=False)
    include_diverged_commits_count: bool = Param("Add how far the target is ahead.", default=False)
    include_rebase_in_progress: bool = Param("Add whether a rebase is running.", default=False)


class RuleNumber(Params):
    """How many approvals one rule asks for."""

    id: int = Param("Id of a rule of the request; when opening it, of the project.", required=True)
    approvals_required: int = Param("Needed approvals, 0 to 100.", required=True, one_of=range(101))


class Attributes(Params):
    """What can be set when opening and when changing."""

    assignee_id: int | None = Param("Assignee; 0 or empty for none.")
    assignee_ids: list[int] = Param("Assignees; 0 or empty for none.", comma=True)
    reviewer_ids: list[int] = Param("Reviewers; 0 or empty for none.", comma=True)
    description: str | None = Param("Description, at most 1,048,576 characters.")
    labels: list[str] = Param("Labels; replaces all, empty for none.", comma=True)
    add_labels: list[str] = Param("Labels to add.", comma=True)
    remove_labels: list[str] = Param("Labels to remove.", comma=True)
    milestone_id: int | None = Param("Global milestone id; 0 or empty for none.")
    remove_source_branch: bool | None = Param("Remove the source branch on merge.")
    allow_collaboration: bool | None = Param("Members who can merge may push to the source branch (forks).")
    allow_maintainer_to_push: bool | None = Param("Alias of allow_collaboration.")
    squash: bool | None = Param("Squash the commits on merge.")
    approvals_before_merge: int | None = Param("Needed approvals (deprecated).")
    approval_rules_attributes: list[RuleNumber] = Param("Needed approvals of single rules.")


class CreateMergeRequest(Attributes):
    """A new request."""

    title: str = Param("Title.", required=True)
    source_branch: str = Param("Source branch.", required=True)
    target_branch: str = Param("Target branch.", required=True)
    target_project_id: int | None = Param("Target project; this project where absent.")
    merge_after: str | None = Param("Moment after which it can be merged.")


class UpdateMergeRequest(OneMergeRequest, Attributes):
    """Changes of a request."""

    target_branch: str | None = Param("Target branch.", blank=False)
    title: str | None = Param("Title.", blank=False)
    state_event: str | None = Param("`close` or `reopen`.", one_of=("close", "reopen"))
    discussion_locked: bool | None = Param("Only members may comment.")
    merge_after: str | None = Param("Moment after which it can be merged; empty for none.")
    at_least_one: ClassVar[tuple[str, ...]] = (
        "assignee_id", "assignee_ids", "reviewer_ids", "description", "labels", "add_labels", "remove_labels",
        "milestone_id", "remove_source_branch", "allow_collaboration", "allow_maintainer_to_push", "squash",
        "target_branch", "title", "state_event", "discussion_locked", "merge_after", "approvals_before_merge",
        "approval_rules_attributes",
    )  # fmt: skip
