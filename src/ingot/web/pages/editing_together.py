"""Editing several issues or merge requests of a list together: each by the API's own endpoint, each failure told."""

from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_ISSUES, READ_MERGE_REQUESTS
from ingot.features.review.merge_requests import is_developer
from ingot.kit.errors import ApiError, Unprocessable
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.issuable_fields import NOBODY, ids_of, offered_fields
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.issues import ISSUE, may_plan
from ingot.web.registry import Pages
from ingot.web.rendering import sentence_of
from ingot.web.sending import REFUSALS, text

pages = Pages("project")
ISSUES = InProject(READ_ISSUES, needs_user=True)
REQUESTS = InProject(READ_MERGE_REQUESTS, needs_user=True)
MOST = 100  # each is a call of its own
PLANNED = ("add_labels", "remove_labels", "milestone_id")  # the API takes these and people only from some
PEOPLE = {"assignees": "assignee_ids", "reviewers": "reviewer_ids"}
REFUSED_ONE = (401, 403, 404, 405, *REFUSALS)  # the others are changed all the same
LONGEST_NUMBER = 9  # digits
TOO_MANY = f"At most {MOST} can be changed at once: these are the first {MOST} of your selection."


class Kind(msgspec.Struct, frozen=True):
    """What is edited together."""

    key: str  # of its pages, and of its list in the API
    word: str
    sign: str
    record: str  # the API's endpoint of one
    number: str  # the name of its number there
    people: tuple[str, ...]
    may_plan: Callable[[PageCall], bool]


OF_ISSUES = Kind("issues", "issue", "#", ISSUE, "issue_iid", ("assignees",), may_plan)
OF_REQUESTS = Kind(
    "merge_requests", "merge request", "!", REQUEST, "merge_request_iid", tuple(PEOPLE),
    lambda call: is_developer(call.actor, call.project),
)  # fmt: skip


@pages.get("issues/edit_many", guard=ISSUES)
def show_edit_issues(call: PageCall) -> View:
    """What can be changed of the selected issues."""
    return _form(call, OF_ISSUES, _problem(OF_ISSUES, _chosen(call)))


@pages.post("issues/edit_many", guard=ISSUES)
def edit_issues(call: PageCall) -> View | Response:
    """Change each; those that are refused come back with the reason."""
    return _edit(call, OF_ISSUES)


@pages.get("merge_requests/edit_many", guard=REQUESTS)
def show_edit_requests(call: PageCall) -> View:
    """What can be changed of the selected requests."""
    return _form(call, OF_REQUESTS, _problem(OF_REQUESTS, _chosen(call)))


@pages.post("merge_requests/edit_many", guard=REQUESTS)
def edit_requests(call: PageCall) -> View | Response:
    """Change each; those that are refused come back with the reason."""
    return _edit(call, OF_REQUESTS)


def _edit(call: PageCall, kind: Kind) -> View | Response:
    chosen = _chosen(call)
    try:
        changes = _changes(call, kind)
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return _form(call, kind, sentence_of(error), status=error.status)
    problem = _problem(kind, chosen)
    if problem:
        return _form(call, kind, problem, status=422)
    refusals = _edit_each(call, kind, chosen, changes)
    if refusals:
        return _form(call, kind, f"{len(refusals)} of {len(chosen)} could not be changed.", refusals, 422)
    query = urlencode({**dict(parse_qsl(text(call, "back"))), "edited": len(chosen)})
    return RedirectResponse(f"/{call.project.full_path}/-/{kind.key}?{query}", 303)


def _edit_each(call: PageCall, kind: Kind, chosen: list[int], changes: dict[str, object]) -> dict[int, str]:
    """By number: why one could not be changed."""
    refusals: dict[int, str] = {}
    for iid in chosen:
        try:
            call.ask(kind.record, "PUT", **{kind.number: iid}, **changes)
        except ApiError as error:
            if error.status not in REFUSED_ONE:
                raise
            refusals[iid] = sentence_of(error)
    return refusals


def _chosen(call: PageCall) -> list[int]:
    """The numbers that were selected."""
    given = call.values.get("iids", [])
    words = given if isinstance(given, list) else [given]
    numbers = [
        int(word) for word in words if isinstance(word, str) and word.isdecimal() and len(word) <= LONGEST_NUMBER
    ]
    return list(dict.fromkeys(numbers))


def _problem(kind: Kind, chosen: list[int]) -> str:
    """What is wrong with the selection, or nothing."""
    if not chosen:
        return f"Select some {kind.word}s first."
    return TOO_MANY if len(chosen) > MOST else ""


def _changes(call: PageCall, kind: Kind) -> dict[str, object]:
    """The fields that were filled, as the API takes them."""
    plans = kind.may_plan(call)
    result: dict[str, object] = {name: text(call, name) for name in ("state_event", *(PLANNED if plans else ()))}
    for name in kind.people if plans else ():
        names = text(call, name)
        result[PEOPLE[name]] = [NOBODY] if names.lower() == "none" else ids_of(call, names)
    if not any(result.values()):
        raise Unprocessable("choose what to change")
    return {name: value for name, value in result.items() if value}


def _form(
    call: PageCall, kind: Kind, problem: str, refusals: Mapping[int, str] | None = None, status: int = 200
) -> View:
    chosen = _chosen(call)[:MOST]
    rows = []
    if chosen:
        numbers = {"iids": [str(iid) for iid in chosen]}
        rows = call.ask(f"/projects/:id/{kind.key}", scope="all", per_page=str(MOST), **numbers)
    can_set = kind.may_plan(call)
    return project_view(
        call, "edit_many", kind.key, status, kind=kind, problem=problem, chosen=rows, refusals=refusals or {},
        values={name: text(call, name) for name in ("state_event", *PLANNED, *PEOPLE)}, can_set=can_set,
        back=urlencode(parse_qsl(text(call, "back"))), **(offered_fields(call) if can_set else {}),
    )  # fmt: skip
