"""What lists of merge requests show beside the fields of the API, in a fixed number of statements for a page."""

from typing import NotRequired

from ingot.features.ci.pipelines import head_pipelines
from ingot.features.planning.notes import open_internal_threads, reads_internal
from ingot.features.review.approvals import ApprovalCount, approval_counts
from ingot.features.review.merge_requests import MergeRequestWithProject, find_by_ids, may_update_among
from ingot.web.answers import MergeRequest
from ingot.web.call import PageCall

# Why a request waits, by `detailed_merge_status`.
WAITS = {
    "draft_status": "draft", "conflict": "conflicts", "broken_status": "conflicts", "need_rebase": "needs a rebase",
    "not_approved": "needs approval", "discussions_not_resolved": "open threads", "ci_must_pass": "pipeline must pass",
    "ci_still_running": "pipeline runs", "mergeable": "ready", "requested_changes": "changes requested",
    "checking": "being checked", "unchecked": "being checked", "preparing": "being checked",
    "commits_status": "nothing to merge", "merge_request_blocked": "waits for another",
    "merge_time": "waits for its time",
    "status_checks_must_pass": "external checks", "locked_paths": "locked files", "locked_lfs_files": "locked files",
}  # fmt: skip


class ListedRequest(MergeRequest):
    """A merge request of a list, with what its row shows besides."""

    waits: NotRequired[str]
    approvals: NotRequired[ApprovalCount | None]
    threads: NotRequired[int]  # that are open
    pipeline: NotRequired[tuple[int, str] | None]  # id and status
    can_edit: NotRequired[bool]


def add_request_facts(call: PageCall, items: list[ListedRequest]) -> None:
    """Add to each entry why it waits, approvals, open threads, its pipeline, and whether the visitor may edit it."""
    rows = find_by_ids(call.conn, [item["id"] for item in items])
    counts = approval_counts(call.conn, rows, paid=call.services.settings.has_tier("premium"))
    pipelines = _pipelines(call, rows)
    editable = may_update_among(call, rows) if call.project_or_none is not None else set()
    threads = _open_threads(call, rows)
    for item in items:
        number = item["id"]
        status = item["detailed_merge_status"]
        is_open = item["state"] == "opened"
        item["waits"] = WAITS.get(status, status.replace("_", " ")) if is_open else ""
        item["approvals"] = counts.get(number) if is_open else None
        item["threads"] = threads.get(number, 0)
        item["pipeline"] = pipelines.get(number)
        item["can_edit"] = number in editable


def _open_threads(call: PageCall, rows: list[MergeRequestWithProject]) -> dict[int, int]:
    """How many threads of each the visitor sees open. Roles in the projects of a group are not known here."""
    if call.actor.is_anonymous:  # discussions are for those who signed in
        return {}
    counts = {row.id: row.unresolved_threads for row in rows if row.unresolved_threads}
    project = call.project_or_none
    if not counts or call.actor.is_admin or (project is not None and reads_internal(call.actor, project)):
        return counts
    internal = open_internal_threads(call.conn, "MergeRequest", list(counts))
    return {number: count - internal.get(number, 0) for number, count in counts.items()}


def _pipelines(call: PageCall, rows: list[MergeRequestWithProject]) -> dict[int, tuple[int, str]]:
    """The id and status of each head pipeline that is of the project itself: those of forks may be private."""
    if call.project_or_none is None or not call.may("GET", "/projects/:id/pipelines"):
        return {}
    pipelines = head_pipelines(call.conn, rows)
    return {number: (one.id, one.status) for number, one in pipelines.items() if one.project_id == call.project.id}
