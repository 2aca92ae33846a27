"""The changes of a merge request: versions, comments on lines, suggestions, and reviews that are sent at once."""

from collections.abc import Mapping

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.kit.errors import ApiError, NotFound
from ingot.web.answers import DiffVersion, MergeRequest
from ingot.web.call import PageCall, Rows, View
from ingot.web.diffs import chosen, present_diffs
from ingot.web.guards import InProject
from ingot.web.line_talk import LineTalk, ShownDraft
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.merge_requests import load_request, request_view
from ingot.web.registry import Pages
from ingot.web.sending import text
from ingot.web.shown_changes import NAMES, back_to_request, shown_query
from ingot.web.threads import threads_at_lines

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)
FILES_A_PAGE = 50
VERDICTS = ("reviewed", "requested_changes")  # of a reviewer, by their name in the API
SHAS = ("base_sha", "start_sha", "head_sha")


@pages.get("merge_requests/{iid:int}/diffs", guard=REQUESTS)
def show_changes(call: PageCall) -> View:
    """What the request changes, file by file, with what was said about its lines."""
    iid, request, is_alone = call.path["iid"], load_request(call), bool(text(call, "file"))
    versions = call.ask_or_none(f"{REQUEST}/versions", merge_request_iid=iid) or []
    version = _version(call, versions)
    wishes = {} if call.actor.is_anonymous else call.ask_or_none("/user/preferences") or {}
    hides_space = hides_white_space(call, wishes)
    rows = _newest(call, is_file_by_file=bool(wishes.get("view_diffs_file_by_file"))) if version is None else None
    refs = request.get("diff_refs") or {} if version is None else _refs(version)
    drafts = [] if call.actor.is_anonymous else call.ask_or_none(f"{REQUEST}/draft_notes", merge_request_iid=iid) or []
    talk = _line_talk(call, request["author"]["id"], refs, drafts)
    diffs = version["diffs"] if version is not None else rows.items if rows is not None else []
    files, cut = present_diffs(chosen(diffs, text(call, "file")), talk=talk, hides_space=hides_space)
    numbers = [row["id"] for row in versions]
    shown = version["id"] if version else numbers[0] if numbers else None
    return request_view(
        call, request, "changes", rows=rows, files=files, cut=cut, versions=versions, shown_version=shown,
        version_number=len(numbers) - numbers.index(shown) if shown in numbers else 1, drafts=drafts,
        elsewhere=0 if (rows is not None and rows.next_page) or is_alone else talk.elsewhere, can_comment=talk.links,
        **_verdicts(call, request, drafts), hides_space=hides_space,
        query=shown_query(call, NAMES[:2]), page_query=shown_query(call, NAMES[:3]), is_alone=is_alone,
    )  # fmt: skip


def _newest(call: PageCall, *, is_file_by_file: bool) -> Rows:
    """The files of the newest version, one page of them."""
    most = 1 if is_file_by_file else FILES_A_PAGE
    return call.ask_rows(f"{REQUEST}/diffs", merge_request_iid=call.path["iid"], per_page=str(most))


@pages.post("merge_requests/{iid:int}/line", guard=REQUESTS)
def comment_on_line(call: PageCall) -> Response:
    """Start a thread at a line, or add a draft of one to the visitor's review."""
    iid, body, path = call.path["iid"], text(call, "body"), text(call, "path")
    lines = {name: text(call, name) for name in ("old_line", "new_line") if text(call, name)}
    position: dict[str, object] = {name: text(call, name) for name in SHAS}
    position |= {"position_type": "text", "new_path": path, "old_path": _old_path(call, path), **lines}
    if "draft" in call.values:
        draft = call.ask(f"{REQUEST}/draft_notes", "POST", merge_request_iid=iid, note=body, position=position)
        return back_to_request(call, f"#draft_{draft['id']}")
    thread = call.ask(f"{REQUEST}/discussions", "POST", merge_request_iid=iid, body=body, position=position)
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


def hides_white_space(call: PageCall, wishes: Mapping[str, object]) -> bool:
    """Lines in which only white space changed look unchanged: as the address says (`w=1`), else the visitor's wish."""
    asked = text(call, "w")
    return asked == "1" if asked in ("0", "1") else not wishes.get("show_whitespace_in_diffs", True)


def _line_talk(call: PageCall, author: int, refs: Mapping[str, object], drafts: list[ShownDraft]) -> LineTalk:
    """The threads of the request and the visitor's drafts, by line."""
    iid = call.path["iid"]
    can_comment = call.may("POST", f"{REQUEST}/discussions", merge_request_iid=iid) and all(refs.get(n) for n in SHAS)
    talk = LineTalk(call, f"/{call.project.full_path}/-/merge_requests/{iid}", refs, can_comment=can_comment)
    for thread in threads_at_lines(call, REQUEST, author, merge_request_iid=iid):
        talk.add_thread(thread)
    for draft in drafts:
        talk.add_draft(draft)
    return talk


def _version(call: PageCall, versions: list[DiffVersion]) -> DiffVersion | None:
    """The version that the address names; None for the newest."""
    wanted = str(call.values.get("diff_id", ""))
    if not wanted or (versions and str(versions[0]["id"]) == wanted):
        return None
    if wanted not in {str(row["id"]) for row in versions}:
        raise NotFound
    result: DiffVersion = call.ask(
        f"{REQUEST}/versions/:version_id", merge_request_iid=call.path["iid"], version_id=wanted
    )
    return result


def _refs(version: DiffVersion) -> dict[str, str | None]:
    """The commits of a version, by the names that the position of a comment has for them."""
    return {
        "base_sha": version["base_commit_sha"], "start_sha": version["start_commit_sha"],
        "head_sha": version["head_commit_sha"],
    }  # fmt: skip


def _old_path(call: PageCall, path: str) -> str:
    """What the file was called before, where the request renames it."""
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
