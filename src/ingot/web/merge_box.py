"""The merge box: each reason why a request cannot be merged, with the next step.

The API decides. Each failed check has a sentence and, for users who may take it, a step.
"""

import msgspec

from ingot.web.answers import Approvals, MergeRequest
from ingot.web.call import PageCall
from ingot.web.states import box_state

REQUEST = "/projects/:id/merge_requests/:merge_request_iid"


class Step(msgspec.Struct):
    """A button (`action`, posted) or a link (`href`)."""

    words: str
    href: str = ""
    action: str = ""
    values: dict[str, str] = msgspec.field(default_factory=dict)


class Reason(msgspec.Struct):
    """One reason that prevents merging."""

    words: str
    steps: list[Step] = msgspec.field(default_factory=list)


class MergeBox(msgspec.Struct):
    """What the box shows."""

    state: str  # ready | waiting | blocked | merged | closed
    title: str
    reasons: list[Reason]
    can_merge: bool
    can_set_auto_merge: bool = False
    live: str = ""  # by which the page knows that the box has changed; empty when it waits for nobody but people


def merge_box(call: PageCall, request: MergeRequest, approvals: Approvals | None, open_threads: int) -> MergeBox:
    """The box of a request as the visitor sees it."""
    box = _box(call, request, approvals, open_threads)
    box.live = box_state(request)
    return box


def _box(call: PageCall, request: MergeRequest, approvals: Approvals | None, open_threads: int) -> MergeBox:
    if request["state"] == "merged":
        return MergeBox("merged", "Merged", [], can_merge=False)
    if request["state"] in ("closed", "locked"):
        title = "Closed" if request["state"] == "closed" else "Being merged"
        return MergeBox("closed", title, [_not_open(call, request)], can_merge=False)
    status = request["detailed_merge_status"]
    reader = request.get("user")
    can_merge = reader is not None and reader["can_merge"]
    if status == "mergeable":
        if can_merge:
            return MergeBox("ready", "Ready to merge", [], can_merge=True)
        target = request["target_branch"]
        return MergeBox(
            "waiting", "Ready, waiting for somebody who may merge",
            [Reason(f"You may not merge into {target}. Members with the right to merge into it can.", _members(call))],
            can_merge=False,
        )  # fmt: skip
    reason = _reason(call, status, request, approvals, open_threads)
    is_waiting = status in ("preparing", "unchecked", "checking", "ci_still_running", "merge_time")
    box = MergeBox("waiting" if is_waiting else "blocked", "Not ready to merge", [reason], can_merge=False)
    box.can_set_auto_merge = status == "ci_still_running" and can_merge
    return box


# Reasons that need no further data.
SENTENCES = {
    "commits_status": "Nothing to merge: there are no commits, or the source branch is gone.",
    "requested_changes": "A reviewer asked for changes.",
    "merge_request_blocked": "Another merge request has to be merged first.",
    "status_checks_must_pass": "An external check has not passed.",
}
CHECKING = ("preparing", "unchecked", "checking")


def _reason(
    call: PageCall, status: str, request: MergeRequest, approvals: Approvals | None, open_threads: int
) -> Reason:
    here = f"/{call.project.full_path}/-/merge_requests/{request['iid']}"
    if status in SENTENCES:
        return Reason(SENTENCES[status])
    if status in CHECKING:
        return Reason("Checking whether the branches fit together.", [Step("Check again", href=here)])
    if status in ("draft_status", "need_rebase", "conflict", "broken_status"):
        return _branches(call, status, request, here)
    if status in ("ci_must_pass", "ci_still_running"):
        words = "The pipeline must pass first; it failed, or there is none."
        return Reason("The pipeline is still running." if status == "ci_still_running" else words, _pipeline(request))
    if status == "discussions_not_resolved":
        count = "A thread is open" if open_threads == 1 else f"{open_threads} threads are open"
        return Reason(f"{count}. All have to be resolved first.", [Step("Go to the first", href="#open-thread")])
    if status == "not_approved":
        return _not_approved(approvals)
    if status == "merge_time":
        return Reason(f"May be merged from {request.get('merge_after')}.")
    return Reason(f"The server says: {status.replace('_', ' ')}.")


def _branches(call: PageCall, status: str, request: MergeRequest, here: str) -> Reason:
    iid, target = request["iid"], request["target_branch"]
    if status == "draft_status":
        may_edit = call.may("PUT", REQUEST, merge_request_iid=iid)
        return Reason("This is a draft.", [Step("Mark as ready", action=f"{here}/ready")] if may_edit else [])
    if status == "need_rebase":
        can_rebase = call.may("PUT", f"{REQUEST}/rebase", merge_request_iid=iid)
        steps = [Step("Rebase", action=f"{here}/rebase")] if can_rebase else []
        return Reason(f"{target} has moved on since this branch began.", steps)
    words = f"This branch and {target} change the same lines."
    return Reason(words, [Step("Show the conflicts", href=f"{here}/conflicts")])


def _not_approved(approvals: Approvals | None) -> Reason:
    left = 0 if approvals is None else approvals.get("approvals_left", 0)
    rules = [] if approvals is None else [rule["name"] for rule in approvals.get("approval_rules_left", [])]
    names = [name for name in rules if name]
    words = "One more approval is needed" if left == 1 else f"{left} more approvals are needed"
    return Reason(f"{words}: {', '.join(names)}." if names else f"{words}.")


def _not_open(call: PageCall, request: MergeRequest) -> Reason:
    person = request.get("closed_by")
    words = f"Closed by {person['name']}." if person else "This merge request is not open."
    reopen = Step("Reopen", action=f"/{call.project.full_path}/-/merge_requests/{request['iid']}/state",
                  values={"state_event": "reopen"})  # fmt: skip
    may_edit = call.may("PUT", REQUEST, merge_request_iid=request["iid"])
    return Reason(words, [reopen] if may_edit and request["state"] == "closed" else [])


def _pipeline(request: MergeRequest) -> list[Step]:
    pipeline = request.get("head_pipeline")
    return [Step("Show the pipeline", href=f"../pipelines/{pipeline['id']}")] if pipeline else []


def _members(call: PageCall) -> list[Step]:
    may_see = call.may("GET", "/projects/:id/members/all")
    return [Step("Members", href=f"/{call.project.full_path}/-/project_members")] if may_see else []
