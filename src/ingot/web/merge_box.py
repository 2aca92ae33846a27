"""The merge box: each reason why a request cannot be merged, with the next step.

The API decides. Each failed check has a sentence and, for users who may take it, a step.
"""

import msgspec

from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER, OWNER
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.review.merge_requests import can_wait, failures, find_by_iid
from ingot.web.answers import Approvals, MergeRequest
from ingot.web.call import PageCall
from ingot.web.guards import can_push
from ingot.web.merge_steps import REQUEST, Reason, Step, lacks_source, reason_of
from ingot.web.states import box_state

CHECKING = ("preparing", "unchecked", "checking")
NOTHING = "commits_status"
WAITING = (*CHECKING, "ci_still_running", "merge_time")
MOST_NAMES = 5
CHOSEN = "users and groups named in the branch protection"
MERGERS = {
    DEVELOPER: "developers and maintainers", MAINTAINER: "maintainers", OWNER: "owners", ADMIN: "administrators",
}  # fmt: skip


class MergeBox(msgspec.Struct):
    """What the box shows."""

    state: str  # ready | waiting | blocked | merged | closed
    title: str
    reasons: list[Reason]
    can_merge: bool
    can_set_auto_merge: bool = False
    live: str = ""  # by which the page knows that the box has changed; empty once the request is not open any more


def merge_box(call: PageCall, request: MergeRequest, approvals: Approvals | None, open_threads: int) -> MergeBox:
    """The box of a request as the visitor sees it."""
    box = _box(call, request, approvals, open_threads)
    box.live = box_state(request, approvals)
    return box


def _box(call: PageCall, request: MergeRequest, approvals: Approvals | None, open_threads: int) -> MergeBox:
    if request["state"] == "merged":
        return MergeBox("merged", "Merged", _after_merge(call, request), can_merge=False)
    if request["state"] == "locked":
        return MergeBox("waiting", "Being merged", [Reason("The merge is in progress.")], can_merge=False)
    if request["state"] == "closed":
        return MergeBox("closed", "Closed", [_not_open(call, request)], can_merge=False)
    status = request["detailed_merge_status"]
    reader = request.get("user")
    can_merge = reader is not None and reader["can_merge"]
    if status == "mergeable":
        if can_merge:
            return MergeBox("ready", "Ready to merge", [], can_merge=True, can_set_auto_merge=_can_wait(request, []))
        title = "Ready to merge by someone with permission"
        return MergeBox("waiting", title, [_may_not(call, request)], can_merge=False)
    failing = _failing(call, request)
    if status == NOTHING:  # without commits, git has nothing to say about how the branches fit together
        failing = [name for name in failing if name not in ("conflict", "need_rebase")]
    reasons = [reason_of(call, name, request, approvals, open_threads) for name in dict.fromkeys((status, *failing))]
    title = "Not ready to merge" if len(reasons) == 1 else f"Not ready to merge: {len(reasons)} reasons"
    box = MergeBox("waiting" if status in WAITING else "blocked", title, reasons, can_merge=False)
    box.can_set_auto_merge = can_merge and status not in CHECKING and _can_wait(request, failing)
    return box


def _can_wait(request: MergeRequest, failing: list[str]) -> bool:
    """Merging can be left to the server, which waits for what is missing."""
    pipeline = request.get("head_pipeline")
    return can_wait(failing, None if pipeline is None else pipeline["status"])


def _failing(call: PageCall, request: MergeRequest) -> list[str]:
    """All checks that fail; the API names the first."""
    row = find_by_iid(call.conn, call.project.id, request["iid"])
    if row is None:
        return []
    return failures(call.conn, [row], paid=call.services.settings.has_tier("premium"))[row.id]


def _may_not(call: PageCall, request: MergeRequest) -> Reason:
    """Who may merge, where the visitor may not."""
    if call.project.archived:
        return Reason("The project is archived, so nothing can be merged.")
    branch = request["target_branch"]
    level, chosen = load_protection(call.conn, call.actor, call.project).mergers(branch)
    who = CHOSEN if level is None else MERGERS.get(level, CHOSEN)
    rows = call.ask_or_none("/projects/:id/members/all", per_page="100") or []
    names = [
        row["name"]
        for row in rows
        if row["state"] == "active"
        and (row["id"] in chosen or (level is not None and row["access_level"] >= max(level, DEVELOPER)))
    ]
    others = " and others" if len(names) > MOST_NAMES else ""
    named = f": {', '.join(names[:MOST_NAMES])}{others}" if names else ""
    steps = [Step("Members", href=f"/{call.project.full_path}/-/project_members")] if rows else []
    return Reason(f"Only {who} can merge into {branch}{named}.", steps)


def _after_merge(call: PageCall, request: MergeRequest) -> list[Reason]:
    """What can still be done with a merged request."""
    if not can_push(call):
        return []
    root = f"/{call.project.full_path}/-"
    sha = request.get("merge_commit_sha") or request.get("squash_commit_sha") or request["sha"]
    steps = [
        Step("Revert", href=f"{root}/commit/{sha}/revert"),
        Step("Cherry-pick", href=f"{root}/commit/{sha}/cherry_pick"),
    ]
    result = [Reason("You can revert this merge or cherry-pick it to another branch.", steps)] if sha else []
    if lacks_source(call, request):
        restore = Step("Restore branch", action=f"{root}/merge_requests/{request['iid']}/restore_branch")
        result.append(Reason(f"The source branch {request['source_branch']} was deleted.", [restore]))
    return result


def _not_open(call: PageCall, request: MergeRequest) -> Reason:
    person = request.get("closed_by")
    when = f" on {day}" if (day := str(request.get("closed_at") or "")[:10]) else ""
    words = f"Closed by {person['name']}{when}." if person else "This merge request is not open."
    if not call.may("PUT", REQUEST, merge_request_iid=request["iid"]):
        return Reason(words)
    here = f"/{call.project.full_path}/-/merge_requests/{request['iid']}"
    if lacks_source(call, request):
        words = f"{words} The source branch {request['source_branch']} no longer exists."
        restore = Step("Restore branch", action=f"{here}/restore_branch")
        return Reason(words, [restore] if can_push(call) else [])
    return Reason(words, [Step("Reopen", action=f"{here}/state", values={"state_event": "reopen"})])
