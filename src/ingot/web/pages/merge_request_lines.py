"""Forms of a request's changes: comments on lines, suggestions, and reviews that are sent at once."""

from urllib.parse import parse_qsl

from starlette.responses import Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.features.spaces.projects import repository_of
from ingot.kit.errors import ApiError, Unprocessable
from ingot.web.answers import Diff, MergeRequest
from ingot.web.call import PageCall, View
from ingot.web.chosen_changes import SHAS, changed_file, with_all_lines
from ingot.web.commenting import may_attach
from ingot.web.file_facts import commits_between
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.line_ranges import line_range
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.merge_request_changes import changes_view, may_join
from ingot.web.refusals import about_field, refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, number_in, refused, text, texts, told
from ingot.web.shown_changes import DRAFTED, back_to_request
from ingot.web.written_comments import written

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)
VERDICTS = ("reviewed", "requested_changes")  # of a reviewer, by their name in the API
NO_RANGE = "The first line must come before the last line of the comment."


@pages.post("merge_requests/{iid:int}/line", guard=REQUESTS)
def comment_on_line(call: PageCall) -> View | Response:
    """Start a thread at lines or about a file, or add a draft of one to the visitor's review.

    A form that is refused, or that asks for the lines to change, comes back filled.
    """
    if "suggest" in call.values:
        return _form_again(call)
    try:
        return _comment(call)
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return _form_again(call, refusal_of(error), error.status)


def _comment(call: PageCall) -> View | Response:
    iid, body, commit = call.path["iid"], text(call, "body"), text(call, "commit_id") or None
    about = {"merge_request_iid": iid, "position": _position(call, commit), "commit_id": commit}
    if "draft" in call.values:
        draft = call.ask(f"{REQUEST}/draft_notes", "POST", note=body, **about)
        return back_to_request(call, DRAFTED, f"#draft_{draft['id']}")
    new = written(call.ask(f"{REQUEST}/discussions", "POST", body=body, **about))
    if new.problem:
        return _form_again(call, about_field("body", told(call, new.problem)), 422)
    return back_to_request(call, new.words("Comment added."), new.fragment)


def _position(call: PageCall, commit: str | None) -> dict[str, object]:
    """Where the comment stands, as the API takes it."""
    path, lines = text(call, "path"), {name: text(call, name) for name in ("old_line", "new_line") if text(call, name)}
    position: dict[str, object] = {name: text(call, name) for name in SHAS}
    position |= {"position_type": "text" if lines else "file", "new_path": path, **lines}
    file = changed_file(call, path, commit, text(call, "head_sha"))
    if file is not None and lines:
        ends = commits_between(
            repository_of(call.services, call.project), text(call, "base_sha"), text(call, "head_sha")
        )
        file = with_all_lines(call, [file], ends)[0]
    position["old_path"] = file["old_path"] if file else path
    if lines and (chosen := _range(call, file, lines)):
        position["line_range"] = chosen
    return position


def _range(call: PageCall, file: Diff | None, lines: dict[str, str]) -> object:
    """The lines from the first that the form names; None for one line."""
    is_new = "new_line" in lines
    first, last = text(call, "from_line"), lines["new_line" if is_new else "old_line"]
    if not first or first == last:
        return None
    numbers = [number_in(number) or 0 for number in (first, last)]
    chosen = line_range(file["diff"], file["new_path"], *numbers, is_new=is_new) if file else None
    if chosen is None:
        raise Unprocessable(NO_RANGE)
    return chosen


def _form_again(call: PageCall, problem: str = "", status: int = 200) -> View:
    """The changes with the form as it was sent."""
    _, _, query = text(call, "back").partition("?")
    # A field of the form has the name of a choice in the address.
    typed = {name: value for name, value in call.values.items() if name != "start_sha"}
    call.values = {**typed, **dict(parse_qsl(query))}
    return changes_view(call, problem, status)


@pages.get("merge_requests/{iid:int}/drafts/{number:int}/edit", guard=InProject(READ_MERGE_REQUESTS, needs_user=True))
def show_draft(call: PageCall) -> View:
    """A draft in a form."""
    numbers = {"merge_request_iid": call.path["iid"], "draft_note_id": call.path["number"]}
    return _draft_form(call, call.ask(f"{REQUEST}/draft_notes/:draft_note_id", **numbers)["note"])


@pages.post("merge_requests/{iid:int}/drafts/{number:int}/edit", guard=REQUESTS)
def edit_draft(call: PageCall) -> View | Response:
    """Change a draft; a refused form comes back filled."""
    numbers = {"merge_request_iid": call.path["iid"], "draft_note_id": call.path["number"]}
    body = texts(call, ("body",)).get("body", "")
    view = refused(
        lambda: call.ask(f"{REQUEST}/draft_notes/:draft_note_id", "PUT", note=body, **numbers),
        lambda problem, status: _draft_form(call, body, problem, status),
    )
    return view or back_to_request(call, "Draft saved.", f"#draft_{call.path['number']}")


def _draft_form(call: PageCall, body: str, problem: str = "", status: int = 200) -> View:
    here = f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}"
    return project_view(
        call, "note_form", "merge_requests", status, here=here, action=f"{here}/drafts/{call.path['number']}",
        body=body, anchor=f"draft_{call.path['number']}", problem=problem, back=text(call, "back"), is_draft=True,
        can_attach=may_attach(call),
    )  # fmt: skip


@pages.post("merge_requests/{iid:int}/drafts/{number:int}/remove", guard=REQUESTS)
def remove_draft(call: PageCall) -> Response:
    """Drop a draft."""
    call.ask(
        f"{REQUEST}/draft_notes/:draft_note_id", "DELETE", merge_request_iid=call.path["iid"],
        draft_note_id=call.path["number"],
    )  # fmt: skip
    return back_to_request(call, "Draft deleted.")


@pages.post("merge_requests/{iid:int}/review", guard=REQUESTS)
def submit_review(call: PageCall) -> Response:
    """Publish all drafts at once, with a summary and a verdict if those were given."""
    iid, body, verdict = call.path["iid"], text(call, "body"), text(call, "verdict")
    state = verdict if verdict in VERDICTS else None
    if state == "requested_changes":
        _join(call)
    call.ask(
        f"{REQUEST}/draft_notes/bulk_publish", "POST", merge_request_iid=iid, note=body or None, reviewer_state=state
    )
    if verdict == "approve":
        call.ask(f"{REQUEST}/approve", "POST", merge_request_iid=iid, sha=text(call, "sha") or None)
    return done(call, f"/{call.project.full_path}/-/merge_requests/{iid}", "Review submitted.")


def _join(call: PageCall) -> None:
    """Make the visitor a reviewer, who alone can request changes, unless they are one."""
    iid = call.path["iid"]
    request: MergeRequest = call.ask(REQUEST, merge_request_iid=iid)
    ids = [str(person["id"]) for person in request["reviewers"]]
    if str(call.actor.user_id) not in ids and may_join(call, request):
        call.ask(REQUEST, "PUT", merge_request_iid=iid, reviewer_ids=[*ids, str(call.actor.user_id)])


@pages.post("merge_requests/{iid:int}/suggestions/{number:int}", guard=REQUESTS)
def apply_suggestion(call: PageCall) -> Response:
    """Commit a proposed change to the source branch."""
    call.ask(REQUEST, merge_request_iid=call.path["iid"])
    call.ask("/suggestions/:id/apply", "PUT", id=call.path["number"])
    return back_to_request(call, "Suggestion applied.")


@pages.post("merge_requests/{iid:int}/suggestions", guard=REQUESTS)
def apply_suggestions(call: PageCall) -> Response:
    """Commit the ticked changes at once, with one message."""
    call.ask(REQUEST, merge_request_iid=call.path["iid"])
    given = call.values.get("ids", [])
    ids = given if isinstance(given, list) else [given]
    call.ask("/suggestions/batch_apply", "PUT", ids=ids, commit_message=text(call, "commit_message") or None)
    return back_to_request(call, "Suggestions applied.")
