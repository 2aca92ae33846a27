"""Forms of merge requests: comment, reply, resolve, approve, merge, rebase, close."""

from collections.abc import Callable

from starlette.responses import Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.features.planning.issuables import is_draft, without_draft
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.guards import InProject
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.merge_requests import overview
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, STATE_DONE, text, texts
from ingot.web.shown_changes import DRAFTED, back_to_request
from ingot.web.threads import MOST_RESOLVED, open_threads, resolution_words
from ingot.web.written_comments import Written, comment, talk_again, written

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)
MESSAGES = ("merge_commit_message", "squash_commit_message")
NEWER = "New commits were pushed after you opened this page. Nothing was changed. Review the new commits and try again."


@pages.post("merge_requests/{iid:int}/comment", guard=REQUESTS)
def comment_on_request(call: PageCall) -> View | Response:
    """Comment or start a thread; close or reopen if that button was used.

    A text of quick actions of which none can be applied stays in its form.
    """
    iid, body, event = call.path["iid"], str(call.values.get("body", "")), call.values.get("state_event")
    new = comment(call, REQUEST, body, merge_request_iid=iid) if body.strip() or not event else Written()
    if new.problem:
        return talk_again(call, overview, new.problem)
    if event:
        call.ask(REQUEST, "PUT", merge_request_iid=iid, state_event=event)
    state = STATE_DONE.get(str(event), "").format("Merge request")
    return back_to_request(call, new.words("Comment added.", state), new.fragment)


@pages.post("merge_requests/{iid:int}/reply/{discussion}", guard=REQUESTS)
def reply_on_request(call: PageCall) -> View | Response:
    """Answer in a thread, or add a draft of the answer to the visitor's review."""
    if "draft" in call.values:
        draft = call.ask(
            f"{REQUEST}/draft_notes", "POST", merge_request_iid=call.path["iid"],
            in_reply_to_discussion_id=call.path["discussion"], note=call.values.get("body", ""),
        )  # fmt: skip
        return back_to_request(call, DRAFTED, f"#draft_{draft['id']}")
    new = written(call.ask(
        f"{REQUEST}/discussions/:discussion_id/notes", "POST", merge_request_iid=call.path["iid"],
        discussion_id=call.path["discussion"], body=call.values.get("body", ""),
    ))  # fmt: skip
    if new.problem:
        return talk_again(call, overview, new.problem, call.path["discussion"])
    return back_to_request(call, new.words("Reply added."), new.fragment)


@pages.post("merge_requests/{iid:int}/resolve/{discussion}", guard=REQUESTS)
def resolve_thread(call: PageCall) -> Response:
    """Resolve a thread, or open it again."""
    call.ask(
        f"{REQUEST}/discussions/:discussion_id", "PUT", merge_request_iid=call.path["iid"],
        discussion_id=call.path["discussion"], resolved=call.values.get("resolved", "true"),
    )  # fmt: skip
    return back_to_request(call, resolution_words(call), f"#discussion_{call.path['discussion']}")


@pages.post("merge_requests/{iid:int}/resolve_all", guard=REQUESTS)
def resolve_all_threads(call: PageCall) -> Response:
    """Resolve the open threads that the visitor may resolve, as clients do: one by one, and so many at a time."""
    iid = call.path["iid"]
    request = call.ask(REQUEST, merge_request_iid=iid)
    author = request["author"]["id"]
    for discussion_id in open_threads(call, REQUEST, author, MOST_RESOLVED, merge_request_iid=iid):
        call.ask(
            f"{REQUEST}/discussions/:discussion_id", "PUT", merge_request_iid=iid, discussion_id=discussion_id,
            resolved=True,
        )  # fmt: skip
    return back_to_request(call, "Threads resolved.", "#discussion")


@pages.post("merge_requests/{iid:int}/approve", guard=REQUESTS)
def approve(call: PageCall) -> View | Response:
    """Approve what is on the page; a newer head is refused."""
    iid, sha = call.path["iid"], call.values.get("sha") or None
    view = _unless_refused(call, lambda: call.ask(f"{REQUEST}/approve", "POST", merge_request_iid=iid, sha=sha))
    return view or back_to_request(call, "Approved.")


@pages.post("merge_requests/{iid:int}/unapprove", guard=REQUESTS)
def unapprove(call: PageCall) -> Response:
    """Take the approval back."""
    call.ask(f"{REQUEST}/unapprove", "POST", merge_request_iid=call.path["iid"])
    return back_to_request(call, "Approval revoked.")


@pages.post("merge_requests/{iid:int}/merge", guard=REQUESTS)
def merge(call: PageCall) -> View | Response:
    """Merge what is on the page; a newer head is refused."""
    view = _unless_refused(call, lambda: _merge(call, call.path["iid"]))
    if view is not None:
        view.data["sent_merge"] = call.values
    return view or back_to_request(
        call,
        "Auto-merge set. The merge request will be merged when all checks pass."
        if "when_ready" in call.values
        else "Merged.",
    )


def _merge(call: PageCall, iid: str) -> None:
    options = {
        "sha": call.values.get("sha") or None, "squash": "squash" in call.values,
        "should_remove_source_branch": "should_remove_source_branch" in call.values,
        "merge_when_pipeline_succeeds": "when_ready" in call.values,
    }  # fmt: skip
    messages = {name: value or None for name, value in texts(call, MESSAGES).items()}
    if "was_to_squash" in call.values and not options["squash"]:
        # To merge without `squash` leaves the request's own choice as it is: who took the tick away takes that back.
        call.ask(REQUEST, "PUT", merge_request_iid=iid, squash=False)
    call.ask(f"{REQUEST}/merge", "PUT", merge_request_iid=iid, **options, **messages)


def _unless_refused(call: PageCall, work: Callable[[], object]) -> View | None:
    """The page with the reason where the API refuses; with a newer head, what changed since the seen one."""
    try:
        work()
    except ApiError as error:
        if error.status not in (405, 406, *REFUSALS):
            raise
        if error.status != 409:
            return overview(call, refusal_of(error), error.status)
        rows = call.ask_or_none(f"{REQUEST}/versions", merge_request_iid=call.path["iid"]) or []
        seen = text(call, "sha")
        since = seen if seen in {row["head_commit_sha"] for row in rows[1:]} else ""
        return overview(call, NEWER if since else refusal_of(error), 409, since)
    return None


@pages.post("merge_requests/{iid:int}/cancel_auto_merge", guard=REQUESTS)
def cancel_auto_merge(call: PageCall) -> Response:
    """Cancel auto-merge."""
    call.ask(f"{REQUEST}/cancel_merge_when_pipeline_succeeds", "POST", merge_request_iid=call.path["iid"])
    return back_to_request(call, "Auto-merge cancelled.")


@pages.post("merge_requests/{iid:int}/rebase", guard=REQUESTS)
def rebase(call: PageCall) -> View | Response:
    """Rebase onto the target branch."""
    skips = call.values.get("skip_ci") == "true"
    view = _unless_refused(
        call, lambda: call.ask(f"{REQUEST}/rebase", "PUT", merge_request_iid=call.path["iid"], skip_ci=skips)
    )
    return view or back_to_request(call, "Rebase started.")


@pages.post("merge_requests/{iid:int}/ready", guard=REQUESTS)
def mark_ready(call: PageCall) -> Response:
    """Mark the request as ready."""
    request = call.ask(REQUEST, merge_request_iid=call.path["iid"])
    title = request["title"]
    while is_draft(title):
        title = without_draft(title)
    call.ask(REQUEST, "PUT", merge_request_iid=call.path["iid"], title=title)
    return back_to_request(call, "Marked as ready.")


@pages.post("merge_requests/{iid:int}/state", guard=REQUESTS)
def change_state(call: PageCall) -> Response:
    """Close or reopen."""
    event = call.values.get("state_event")
    call.ask(REQUEST, "PUT", merge_request_iid=call.path["iid"], state_event=event)
    return back_to_request(call, STATE_DONE.get(str(event), "{} saved.").format("Merge request"))
