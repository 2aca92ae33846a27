"""What lists of merge requests show beside the fields of the API, in a fixed number of statements for a page."""

from collections.abc import Mapping, Sequence
from typing import NotRequired

from ingot.access.subjects import Project, find_projects
from ingot.features.ci.engine import may_read_builds
from ingot.features.ci.pipelines import head_pipelines
from ingot.features.planning.notes import open_internal_threads, reads_internal
from ingot.features.review.approvals import ApprovalCount, approval_counts
from ingot.features.review.merge_requests import MergeRequestWithProject, find_by_ids, may_update_among
from ingot.web.answers import MergeRequest
from ingot.web.call import PageCall

CHECKED = "being checked"
# Why a request waits, by `detailed_merge_status`.
WAITS = {
    "draft_status": "draft", "conflict": "conflicts", "broken_status": "conflicts", "need_rebase": "needs a rebase",
    "not_approved": "needs approval", "discussions_not_resolved": "open threads", "ci_must_pass": "pipeline must pass",
    "ci_still_running": "pipeline running", "mergeable": "ready", "requested_changes": "changes requested",
    **dict.fromkeys(("checking", "unchecked", "preparing"), CHECKED),
    "commits_status": "nothing to merge", "merge_request_blocked": "waiting for another merge request",
    "merge_time": "not mergeable yet",
    "status_checks_must_pass": "status checks", "locked_paths": "locked files", "locked_lfs_files": "locked files",
}  # fmt: skip


class ListedRequest(MergeRequest):
    """A merge request of a list, with what its row shows besides."""

    waits: NotRequired[str]
    approvals: NotRequired[ApprovalCount | None]
    threads: NotRequired[int]  # that are open
    pipeline: NotRequired[tuple[int, str] | None]  # id and status
    can_edit: NotRequired[bool]


def add_request_facts(
    call: PageCall, items: list[ListedRequest], loaded: Sequence[MergeRequestWithProject] = ()
) -> None:
    """Add to each entry why it waits, approvals, open threads, its pipeline, and whether the visitor may edit it.

    `loaded` are the rows of the entries, where they are at hand.
    """
    rows = list(loaded) or find_by_ids(call.conn, [item["id"] for item in items])
    counts = approval_counts(call.conn, rows, paid=call.services.settings.has_tier("premium"))
    places = places_of(call, rows)
    pipelines = _pipelines(call, rows, places)
    editable = may_update_among(call, rows, places)
    threads = _open_threads(call, rows, places)
    for item in items:
        number = item["id"]
        status = item["detailed_merge_status"]
        is_open = item["state"] == "opened"
        item["waits"] = WAITS.get(status, status.replace("_", " ")) if is_open else ""
        # Lists of people who signed in have what they show checked; the others might read this for ever.
        if item["waits"] == CHECKED and call.actor.is_anonymous:
            item["waits"] = ""
        item["approvals"] = counts.get(number) if is_open else None
        item["threads"] = threads.get(number, 0)
        item["pipeline"] = pipelines.get(number)
        item["can_edit"] = number in editable


def places_of(call: PageCall, rows: Sequence[MergeRequestWithProject]) -> dict[int, Project]:
    """The projects of the rows, as the visitor sees them."""
    if call.project_or_none is not None:
        return {call.project.id: call.project}
    return find_projects(call.conn, call.actor, {row.project_id for row in rows})


def _open_threads(call: PageCall, rows: list[MergeRequestWithProject], places: Mapping[int, Project]) -> dict[int, int]:
    """How many threads of each the visitor sees open."""
    if call.actor.is_anonymous:  # discussions are for those who signed in
        return {}
    counts = {row.id: row.unresolved_threads for row in rows if row.unresolved_threads}
    knowing = {number for number, place in places.items() if reads_internal(call.actor, place)}
    others = [row.id for row in rows if row.id in counts and row.project_id not in knowing]
    internal = open_internal_threads(call.conn, "MergeRequest", others) if others else {}
    return {number: count - internal.get(number, 0) for number, count in counts.items()}


def _pipelines(
    call: PageCall, rows: list[MergeRequestWithProject], places: Mapping[int, Project]
) -> dict[int, tuple[int, str]]:
    """The id and status of each head pipeline that is of the project itself: those of forks may be private."""
    shown = {number for number, place in places.items() if may_read_builds(call.actor, place)}
    rows = [row for row in rows if row.project_id in shown]
    pipelines = head_pipelines(call.conn, rows) if rows else {}
    return {
        row.id: (one.id, one.status)
        for row in rows
        if (one := pipelines.get(row.id)) is not None and one.project_id == row.project_id
    }
