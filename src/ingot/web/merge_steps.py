"""The reasons of the merge box in words: what is missing, and the steps that the visitor can take about it."""

from collections.abc import Callable
from datetime import datetime

import msgspec

from ingot.access.policy import READ_CODE
from ingot.features.planning.notes import last_events
from ingot.features.review.merge_requests import is_developer
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.conflicts import conflicts
from ingot.gitstore.errors import GitError
from ingot.gitstore.objects import ahead_behind
from ingot.gitstore.remembered import remembered
from ingot.web.answers import Approvals, MergeRequest
from ingot.web.call import PageCall
from ingot.web.filters import local
from ingot.web.guards import can_push
from ingot.web.time_left import time_left

REQUEST = "/projects/:id/merge_requests/:merge_request_iid"
BRANCH = "/projects/:id/repository/branches/:branch"
MOST_ASKED = 2
CHECKS = {"failed": "has failed"}
WEB = ("https://", "http://")
# How a pipeline ended, or what it waits for, in the sentence that it has to pass.
PIPELINES = {
    "failed": "The pipeline failed", "canceled": "The pipeline was cancelled",
    "canceling": "The pipeline is being cancelled",
    "skipped": "The pipeline was skipped", "manual": "The pipeline is waiting for a manual job",
}  # fmt: skip


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


class Context(msgspec.Struct, frozen=True):
    """What reasons are made of."""

    call: PageCall
    request: MergeRequest
    approvals: Approvals | None
    open_threads: int

    @property
    def here(self) -> str:
        """The address of the request."""
        return f"/{self.call.project.full_path}/-/merge_requests/{self.request['iid']}"

    def may(self, method: str, tail: str = "", **values: object) -> bool:
        """The visitor may do this with the request."""
        return self.call.may(method, f"{REQUEST}{tail}", merge_request_iid=self.request["iid"], **values)

    def button(self, words: str, tail: str, **values: str) -> Step:
        """A button whose form goes to an address below the request."""
        return Step(words, action=f"{self.here}/{tail}", values=values)


def reason_of(
    call: PageCall, status: str, request: MergeRequest, approvals: Approvals | None, open_threads: int
) -> Reason:
    """A check that fails, by its name in `detailed_merge_status`."""
    write = REASONS.get(status)
    if write is None:
        return Reason(f"Merge status: {status.replace('_', ' ')}.")
    return write(Context(call, request, approvals, open_threads))


def _checking(of: Context) -> Reason:
    return Reason("Checking whether the branches fit together.", [Step("Check again", href=of.here)])


def _draft(of: Context) -> Reason:
    return Reason("This is a draft.", [of.button("Mark as ready", "ready")] if of.may("PUT") else [])


def _conflict(of: Context) -> Reason:
    count = _conflict_count(of)
    where = f" in {count} files" if count > 1 else " in one file" if count else ""
    words = f"This branch has conflicts with {of.request['target_branch']}{where}."
    step = "Resolve conflicts" if can_push(of.call) else "View conflicts"
    return Reason(words, [Step(step, href=f"{of.here}/conflicts")])


def _rebase(of: Context) -> Reason:
    if of.request.get("rebase_in_progress"):
        return Reason(f"The branch is being rebased onto {of.request['target_branch']}.")
    steps = []
    if of.may("PUT", "/rebase"):
        steps = [of.button("Rebase", "rebase"), of.button("Rebase without a pipeline", "rebase", skip_ci="true")]
    behind = _behind(of)
    by = "" if not behind else " by one commit" if behind == 1 else f" by {behind} commits"
    return Reason(f"{of.request['target_branch']} has moved on{by} since this branch began.", steps)


def _heads(of: Context) -> tuple[str, str] | None:
    """The last commits of the target and of the source; None where one is missing."""
    target = of.call.ask_or_none(BRANCH, branch=of.request["target_branch"])
    head = of.request["sha"]
    return (str(target["commit"]["id"]), head) if target is not None and head else None


def _behind(of: Context) -> int:
    """How many commits the target has that the source has not; 0 where that cannot be told."""
    heads = _heads(of)
    if heads is None:
        return 0
    repository = repository_of(of.call.services, of.call.project)

    def ask() -> bytes:
        return b"%d" % ahead_behind(repository, heads[1], heads[0])[1]

    try:
        return int(remembered(repository, ("behind", *heads), ask))
    except GitError:
        return 0


def _conflict_count(of: Context) -> int:
    """How many files do not fit together; 0 where that cannot be told."""
    heads = _heads(of)
    if heads is None or not READ_CODE.allows(of.call.actor, of.call.project):
        return 0
    repository = repository_of(of.call.services, of.call.project)

    def ask() -> bytes:
        return b"%d" % len(conflicts(repository, *heads))

    try:
        return int(remembered(repository, ("conflict_count", *heads), ask))
    except GitError:
        return 0


def _commits(of: Context) -> Reason:
    """Nothing to merge: which of the branches is gone, if any."""
    call, request = of.call, of.request
    close = [of.button("Close", "state", state_event="close")] if of.may("PUT") else []
    if call.ask_or_none(BRANCH, branch=request["target_branch"]) is None:
        change = [Step("Change target branch", href=f"{of.here}/edit")] if of.may("PUT") else []
        return Reason(f"The target branch {request['target_branch']} no longer exists.", [*change, *close])
    if lacks_source(call, request):
        restore = [of.button("Restore branch", "restore_branch")] if can_push(call) else []
        return Reason(f"The source branch {request['source_branch']} no longer exists.", [*restore, *close])
    change = [Step("Change target branch", href=f"{of.here}/edit")] if of.may("PUT") else []
    if request["source_project_id"] != request["target_project_id"] or not request["sha"]:
        words = "Nothing to merge: there are no new commits, or the source branch no longer exists."
        return Reason(words, [*change, *close])
    words = f"Nothing to merge: {request['source_branch']} has no commits that are not in {request['target_branch']}."
    return Reason(words, [*change, *close])


def lacks_source(call: PageCall, request: MergeRequest) -> bool:
    """The source branch is one of this project, and was deleted; its head is known."""
    is_own = request["source_project_id"] == request["target_project_id"]
    return bool(is_own and request["sha"]) and call.ask_or_none(BRANCH, branch=request["source_branch"]) is None


def _threads(of: Context) -> Reason:
    if of.call.actor.is_anonymous:  # discussions are for people who signed in
        return Reason("There are open threads. Resolve all threads before merging.")
    if not of.open_threads:  # those of this page are resolved
        words = "There are open threads on other pages of the discussion. Resolve all threads before merging."
        return Reason(words, [Step("Go to the discussion", href="#discussion")])
    words = "A thread is open" if of.open_threads == 1 else f"{of.open_threads} threads are open"
    return Reason(f"{words}. Resolve all threads before merging.", [Step("Go to first thread", href="#open-thread")])


def _approvals(of: Context) -> Reason:
    approvals = of.approvals or {}
    left = approvals.get("approvals_left", 0)
    names = [name for rule in approvals.get("approval_rules_left", []) if (name := rule["name"])]
    words = "One more approval is needed" if left == 1 else f"{left} more approvals are needed"
    steps = []
    if of.may("PUT"):
        asked = {person["id"] for person in of.request["reviewers"]}
        asked.add(of.call.actor.user_id or 0)
        wanted = [person for person in approvals.get("suggested_approvers", []) if person["id"] not in asked]
        steps = [
            of.button(f"Request review from {row['name']}", "ask_review", user_id=str(row["id"]))
            for row in wanted[:MOST_ASKED]
        ]
    return Reason(f"{words}: {', '.join(names)}." if names else f"{words}.", steps)


def _with_moment(name: str, moment: datetime | None) -> str:
    """Imported requests may not say when."""
    return f"{name} asked for changes{moment.strftime(' on %Y-%m-%d %H:%M') if moment else ''}"


def _changes(of: Context) -> Reason:
    rows = of.call.ask_or_none(f"{REQUEST}/reviewers", merge_request_iid=of.request["iid"]) or []
    asking = [row["user"] for row in rows if row["state"] == "requested_changes"]
    moments = last_events(of.call.conn, "MergeRequest", of.request["id"], "requested_changes")
    names = [_with_moment(person["name"], moments.get(person["id"])) for person in asking]
    words = f"{', '.join(names)}." if names else "A reviewer asked for changes."
    steps = [Step("View threads", href="#discussion")]
    if any(row["state"] == "requested_changes" and row["user"]["id"] == of.call.actor.user_id for row in rows):
        steps.append(of.button("Withdraw my request for changes", "review", verdict="reviewed"))
    if is_developer(of.call.actor, of.call.project):
        for row in rows:
            if row["state"] == "requested_changes" and row["user"]["id"] != of.call.actor.user_id:
                again = f"Re-request review from {row['user']['name']}"
                steps.append(of.button(again, "ask_again", username=row["user"]["username"]))
    return Reason(f"{words} Their approval removes the block.", steps)


def _blocked(of: Context) -> Reason:
    rows = of.call.ask_or_none(f"{REQUEST}/blocks", merge_request_iid=of.request["iid"]) or []
    steps, names = [], []
    for row in rows:
        other = row.get("blocking_merge_request")
        if other is None or other["state"] == "merged":
            continue
        name = other["references"]["relative"]
        names.append(name)
        steps.append(Step(f"Open {name}", href=other["web_url"]))
        if of.may("PUT"):
            steps.append(of.button(f"Remove dependency on {name}", "unblock", block_id=str(row["id"])))
    words = f"{', '.join(names)} must be merged first." if names else "Another merge request must be merged first."
    return Reason(words, steps)


def _checks(of: Context) -> Reason:
    rows = of.call.ask_or_none(f"{REQUEST}/status_checks", merge_request_iid=of.request["iid"]) or []
    left = [row for row in rows if row["status"] != "passed"]
    words = " ".join(f"The check “{row['name']}” {CHECKS.get(row['status'], 'has not responded yet')}." for row in left)
    again = f"{REQUEST}/status_checks/:external_status_check_id/retry"
    steps = [
        Step(f"Open {row['name']}", href=row["external_url"]) for row in left if row["external_url"].startswith(WEB)
    ]
    steps += [
        of.button(f"Retry {row['name']}", "retry_check", check_id=str(row["id"]))
        for row in left
        if row["status"] == "failed"
        and of.call.may("POST", again, merge_request_iid=of.request["iid"], external_status_check_id=row["id"])
    ]
    return Reason(words or "An external status check has not passed.", steps)


def _pipeline(of: Context) -> Reason:
    pipeline = of.request.get("head_pipeline")
    if pipeline is None:
        steps = [of.button("Run pipeline", "pipelines")] if of.may("POST", "/pipelines") else []
        return Reason("A pipeline must pass before merging, but none has run.", steps)
    address, is_here = local(pipeline["web_url"]), pipeline["project_id"] == of.call.project.id
    steps = [Step("View pipeline", href=address)]
    again = "/projects/:id/pipelines/:pipeline_id/retry"
    if is_here and of.call.may("POST", again, pipeline_id=pipeline["id"]):
        steps.append(Step("Retry", action=f"{address}/retry"))
    words = PIPELINES.get(pipeline["status"], f"The pipeline is {pipeline['status'].replace('_', ' ')}")
    return Reason(f"{words}. It must pass before merging.", steps)


def _running(of: Context) -> Reason:
    pipeline = of.request.get("head_pipeline")
    href = local(pipeline["web_url"]) if pipeline else ""
    left = time_left(of.call, pipeline) if pipeline else ""
    return Reason(f"The pipeline is still running. {left}".strip(), [Step("View pipeline", href=href)] if href else [])


def _time(of: Context) -> Reason:
    when = str(of.request.get("merge_after") or "")[:16].replace("T", " ")
    change = Step("Change time", href=f"{of.here}/edit")
    steps = [change, of.button("Allow merging now", "merge_after")] if of.may("PUT") else []
    return Reason(f"May be merged from {when}.", steps)


REASONS: dict[str, Callable[[Context], Reason]] = {
    "preparing": _checking, "unchecked": _checking, "checking": _checking, "draft_status": _draft,
    "conflict": _conflict, "broken_status": _conflict, "need_rebase": _rebase, "commits_status": _commits,
    "discussions_not_resolved": _threads, "not_approved": _approvals, "requested_changes": _changes,
    "merge_request_blocked": _blocked, "status_checks_must_pass": _checks, "ci_must_pass": _pipeline,
    "ci_still_running": _running, "merge_time": _time,
}  # fmt: skip
