"""The changes of a merge request: versions, comments on lines, suggestions, and reviews that are sent at once."""

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.kit.errors import ApiError
from ingot.web.answers import DiffVersion, MergeRequest
from ingot.web.call import PageCall, View
from ingot.web.chosen_changes import Changes, chosen_changes, commits_of, with_context
from ingot.web.diffs import add_pictures, chosen, present_diffs
from ingot.web.guards import InProject
from ingot.web.line_talk import LineTalk, ShownDraft
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.merge_requests import load_request, request_view
from ingot.web.registry import Pages
from ingot.web.sending import text
from ingot.web.shown_changes import (
    CHOICES,
    OF_PAGE,
    Look,
    back_to_request,
    hides_white_space,
    is_in_two_columns,
    remembering,
    shown_query,
)
from ingot.web.threads import threads_at_lines

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)
VERDICTS = ("reviewed", "requested_changes")  # of a reviewer, by their name in the API
SHAS = ("base_sha", "start_sha", "head_sha")


@pages.get("merge_requests/{iid:int}/diffs", guard=REQUESTS)
def show_changes(call: PageCall) -> View:
    """What the request changes, file by file, with what was said about its lines."""
    iid, request, is_alone = call.path["iid"], load_request(call), bool(text(call, "file"))
    versions = call.ask_or_none(f"{REQUEST}/versions", merge_request_iid=iid) or []
    wishes = {} if call.actor.is_anonymous else call.ask_or_none("/user/preferences") or {}
    commits, is_by_file = commits_of(call), bool(wishes.get("view_diffs_file_by_file"))
    changes = chosen_changes(call, request, versions, commits, is_file_by_file=is_by_file)
    look = Look(hides_white_space(call, wishes), is_in_two_columns(call))
    drafts = [] if call.actor.is_anonymous else call.ask_or_none(f"{REQUEST}/draft_notes", merge_request_iid=iid) or []
    talk = _line_talk(call, request["author"]["id"], changes, drafts, look)
    view = request_view(
        call, request, "changes", **_files(call, changes, talk, look), **_version_facts(changes, versions),
        rows=changes.rows, versions=versions, commits=commits, commit=changes.commit, look=look, drafts=drafts,
        can_comment=talk.links, is_alone=is_alone, **_queries(call, look), **_verdicts(call, request, drafts),
    )  # fmt: skip
    return remembering(call, view)


def _files(call: PageCall, changes: Changes, talk: LineTalk, look: Look) -> dict[str, object]:
    """The files that the page shows, and how many threads stand at lines that it does not show."""
    alone, refs = text(call, "file"), changes.refs
    diffs = chosen(changes.diffs, alone)
    if alone:
        diffs = with_context(call, diffs, refs.get("head_sha"))
    files, cut = present_diffs(diffs, talk=talk, hides_space=look.hides_space, is_split=look.is_split)
    add_pictures(files, diffs, f"/{call.project.full_path}/-/raw", refs.get("base_sha"), refs.get("head_sha"))
    is_part = bool(alone) or (changes.rows is not None and changes.rows.next_page is not None)
    return {"files": files, "cut": cut, "elsewhere": 0 if is_part else talk.elsewhere}


def _version_facts(changes: Changes, versions: list[DiffVersion]) -> dict[str, object]:
    """Which version is shown, and its number."""
    numbers = [row["id"] for row in versions]
    shown = changes.version or (numbers[0] if numbers else None)
    number = len(numbers) - numbers.index(shown) if shown in numbers else 1
    return {"shown_version": shown, "version_number": number}


def _queries(call: PageCall, look: Look) -> dict[str, object]:
    """Addresses of the same changes, shown otherwise."""
    return {
        "query": shown_query(call, CHOICES), "page_query": shown_query(call, OF_PAGE),
        "spaces_query": shown_query(call, w="0" if look.hides_space else "1"),
        "columns_query": shown_query(call, view="inline" if look.is_split else "parallel"),
    }  # fmt: skip


@pages.post("merge_requests/{iid:int}/line", guard=REQUESTS)
def comment_on_line(call: PageCall) -> Response:
    """Start a thread at a line or about a file, or add a draft of one to the visitor's review."""
    iid, body, path, commit = call.path["iid"], text(call, "body"), text(call, "path"), text(call, "commit_id") or None
    lines = {name: text(call, name) for name in ("old_line", "new_line") if text(call, name)}
    position: dict[str, object] = {name: text(call, name) for name in SHAS}
    position |= {"position_type": "text" if lines else "file", "new_path": path, **lines}
    position["old_path"] = _old_path(call, path, commit)
    about = {"merge_request_iid": iid, "position": position, "commit_id": commit}
    if "draft" in call.values:
        draft = call.ask(f"{REQUEST}/draft_notes", "POST", note=body, **about)
        return back_to_request(call, f"#draft_{draft['id']}")
    thread = call.ask(f"{REQUEST}/discussions", "POST", body=body, **about)
    notes = thread.get("notes") or [{"id": ""}]
    return back_to_request(call, f"#note_{notes[0]['id']}")


@pages.post("merge_requests/{iid:int}/drafts/{number:int}/remove", guard=REQUESTS)
def remove_draft(call: PageCall) -> Response:
    """Drop a draft."""
    call.ask(
        f"{REQUEST}/draft_notes/:draft_note_id", "DELETE", merge_request_iid=call.path["iid"],
        draft_note_id=call.path["number"],
    )  # fmt: skip
    return back_to_request(call)


@pages.post("merge_requests/{iid:int}/review", guard=REQUESTS)
def submit_review(call: PageCall) -> Response:
    """Publish all drafts at once, with a summary and a verdict if those were given."""
    iid, body, verdict = call.path["iid"], text(call, "body"), text(call, "verdict")
    state = verdict if verdict in VERDICTS else None
    call.ask(
        f"{REQUEST}/draft_notes/bulk_publish", "POST", merge_request_iid=iid, note=body or None, reviewer_state=state
    )
    if verdict == "approve":
        call.ask(f"{REQUEST}/approve", "POST", merge_request_iid=iid, sha=text(call, "sha") or None)
    return RedirectResponse(f"/{call.project.full_path}/-/merge_requests/{iid}", 303)


@pages.post("merge_requests/{iid:int}/suggestions/{number:int}", guard=REQUESTS)
def apply_suggestion(call: PageCall) -> Response:
    """Commit a proposed change to the source branch."""
    call.ask(REQUEST, merge_request_iid=call.path["iid"])
    call.ask("/suggestions/:id/apply", "PUT", id=call.path["number"])
    return back_to_request(call, otherwise="diffs")


def _line_talk(call: PageCall, author: int, changes: Changes, drafts: list[ShownDraft], look: Look) -> LineTalk:
    """The threads of the request and the visitor's drafts, by line."""
    iid, refs = call.path["iid"], changes.refs
    can_comment = call.may("POST", f"{REQUEST}/discussions", merge_request_iid=iid) and all(refs.get(n) for n in SHAS)
    talk = LineTalk(
        call, f"/{call.project.full_path}/-/merge_requests/{iid}", refs, can_comment=can_comment,
        commit=changes.commit["id"] if changes.commit else None, is_split=look.is_split,
    )  # fmt: skip
    for thread in threads_at_lines(call, REQUEST, author, merge_request_iid=iid):
        talk.add_thread(thread)
    for draft in drafts:
        talk.add_draft(draft)
    return talk


def _old_path(call: PageCall, path: str, commit: str | None) -> str:
    """What the file was called before, where the request or its commit renames it."""
    if commit is not None:
        rows = call.ask_rows("/projects/:id/repository/commits/:sha/diff", sha=commit, per_page="100", page="1")
    else:
        rows = call.ask_rows(f"{REQUEST}/diffs", merge_request_iid=call.path["iid"], per_page="100", page="1")
    return next((row["old_path"] for row in rows.items if row["new_path"] == path), path)


def _verdicts(call: PageCall, request: MergeRequest, drafts: list[ShownDraft]) -> dict[str, object]:
    """What the visitor may find of the request."""
    state = _review_state(call, request)
    return {
        "review_state": state,
        "can_approve": _can_approve(call, call.path["iid"]) if drafts or state else False,
    }


def _review_state(call: PageCall, request: MergeRequest) -> str | None:
    """What the visitor found as a reviewer of an open request; None for others, who have no verdict but approvals."""
    mine = call.actor.user_id
    if request["state"] != "opened" or mine not in {person["id"] for person in request["reviewers"]}:
        return None
    rows = call.ask_or_none(f"{REQUEST}/reviewers", merge_request_iid=request["iid"]) or []
    return next((row["state"] for row in rows if row["user"]["id"] == mine), None)


def _can_approve(call: PageCall, iid: str) -> bool:
    try:
        approvals = call.ask(f"{REQUEST}/approvals", merge_request_iid=iid)
    except ApiError:
        return False
    return bool(approvals.get("user_can_approve"))
