"""Editing several merge requests of a list together: each by the API's own endpoint, each failure told apart."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.kit.errors import ApiError, Unprocessable
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.issuable_fields import NOBODY, ids_of, offered_fields
from ingot.web.merge_steps import REQUEST
from ingot.web.registry import Pages
from ingot.web.rendering import sentence_of
from ingot.web.sending import REFUSALS, text

pages = Pages("project")
WRITERS = InProject(READ_MERGE_REQUESTS, needs_user=True)
MOST = 100  # each is a call of its own
FIELDS = ("add_labels", "remove_labels", "milestone_id", "assignees", "reviewers", "state_event")
TOLD = (401, 403, 404, 405, *REFUSALS)  # of one request; the others are changed all the same
LONGEST_NUMBER = 9  # digits
NONE_CHOSEN = "Select some merge requests first."


@pages.get("merge_requests/edit_many", guard=WRITERS)
def show_edit_many(call: PageCall) -> View:
    """What can be changed of the selected requests."""
    return _form(call, "" if _chosen(call) else NONE_CHOSEN)


@pages.post("merge_requests/edit_many", guard=WRITERS)
def edit_many(call: PageCall) -> View | Response:
    """Change each; those that are refused come back with the reason."""
    chosen = _chosen(call)
    try:
        changes = _changes(call)
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return _form(call, sentence_of(error), status=error.status)
    if not chosen:
        return _form(call, NONE_CHOSEN, status=422)
    failed = _edit_each(call, chosen, changes)
    if failed:
        return _form(call, f"{len(failed)} of {len(chosen)} could not be changed.", failed, 422)
    query = urlencode({**dict(parse_qsl(text(call, "back"))), "edited": len(chosen)})
    return RedirectResponse(f"/{call.project.full_path}/-/merge_requests?{query}", 303)


def _edit_each(call: PageCall, chosen: list[int], changes: dict[str, object]) -> dict[int, str]:
    """By number: why a request could not be changed."""
    failed: dict[int, str] = {}
    for iid in chosen:
        try:
            call.ask(REQUEST, "PUT", merge_request_iid=iid, **changes)
        except ApiError as error:
            if error.status not in TOLD:
                raise
            failed[iid] = sentence_of(error)
    return failed


def _chosen(call: PageCall) -> list[int]:
    """The numbers of the selected requests."""
    given = call.values.get("iids", [])
    words = given if isinstance(given, list) else [given]
    numbers = [
        int(word) for word in words if isinstance(word, str) and word.isdecimal() and len(word) <= LONGEST_NUMBER
    ]
    return list(dict.fromkeys(numbers))[:MOST]


def _changes(call: PageCall) -> dict[str, object]:
    """The fields that were filled, as the API takes them."""
    result: dict[str, object] = {
        name: text(call, name) for name in ("add_labels", "remove_labels", "milestone_id", "state_event")
    }
    for name, parameter in (("assignees", "assignee_ids"), ("reviewers", "reviewer_ids")):
        names = text(call, name)
        result[parameter] = [NOBODY] if names.lower() == "none" else ids_of(call, names)
    if not any(result.values()):
        raise Unprocessable("choose what to change")
    return {name: value for name, value in result.items() if value}


def _form(call: PageCall, problem: str, failed: Mapping[int, str] | None = None, status: int = 200) -> View:
    chosen = _chosen(call)
    rows = []
    if chosen:
        numbers = {"iids": [str(iid) for iid in chosen]}
        rows = call.ask("/projects/:id/merge_requests", scope="all", per_page="100", **numbers)
    return project_view(
        call, "merge_requests_edit", "merge_requests", status, problem=problem, chosen=rows, failed=failed or {},
        values={name: text(call, name) for name in FIELDS}, back=_back(call),
        **offered_fields(call),
    )  # fmt: skip


def _back(call: PageCall) -> str:
    """The list that the selection was made in."""
    return urlencode(parse_qsl(text(call, "back")))
