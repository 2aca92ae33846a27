"""Editing several issues or merge requests of a list together: each by the API's own endpoint, each failure told.

In the list of a group each is changed in its own project, by the role that the visitor has there.
"""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.responses import Response

from ingot.access.policy import READ_ISSUES, READ_MERGE_REQUESTS
from ingot.access.subjects import Project, find_projects
from ingot.features.review.merge_requests import is_developer
from ingot.kit.errors import ApiError, Unprocessable
from ingot.web.call import PageCall, View
from ingot.web.frames import group_view, project_view
from ingot.web.guards import InGroup, InProject
from ingot.web.issuable_fields import NOBODY, ids_of, offered_fields
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.issues import ISSUE, may_plan_in
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, number_in, text

pages = Pages("project")
of_groups = Pages("group")
ISSUES = InProject(READ_ISSUES, needs_user=True)
REQUESTS = InProject(READ_MERGE_REQUESTS, needs_user=True)
GROUP = InGroup(needs_user=True)
MOST = 100  # each is a call of its own
MOST_IN_GROUPS = 20  # which is a page; each may be in another project
PLANNED = ("add_labels", "remove_labels", "milestone_id")  # the API takes these and people only from some
PEOPLE = {"assignees": "assignee_ids", "reviewers": "reviewer_ids"}
REFUSED_ONE = (401, 403, 404, 405, *REFUSALS)  # the others are changed all the same
NO_PLANNING = "Your role in this project does not allow you to change labels, milestones and assignees."


class Kind(msgspec.Struct, frozen=True):
    """What is edited together."""

    key: str  # of its pages, and of its list in the API
    word: str
    sign: str
    record: str  # the API's endpoint of one
    number: str  # the name of its number there
    people: tuple[str, ...]
    may_plan: Callable[[PageCall, Project], bool]


class Chosen(NamedTuple):
    """One that was selected."""

    project_id: int
    iid: int


OF_ISSUES = Kind("issues", "issue", "#", ISSUE, "issue_iid", ("assignees",), may_plan_in)
OF_REQUESTS = Kind(
    "merge_requests", "merge request", "!", REQUEST, "merge_request_iid", tuple(PEOPLE),
    lambda call, project: is_developer(call.actor, project),
)  # fmt: skip


@pages.get("issues/edit_many", guard=ISSUES)
@of_groups.get("issues/edit_many", guard=GROUP)
def show_edit_issues(call: PageCall) -> View:
    """What can be changed of the selected issues."""
    return _form(call, OF_ISSUES, _problem(call, OF_ISSUES))


@pages.post("issues/edit_many", guard=ISSUES)
@of_groups.post("issues/edit_many", guard=GROUP)
def edit_issues(call: PageCall) -> View | Response:
    """Change each; those that are refused come back with the reason."""
    return _edit(call, OF_ISSUES)


@pages.get("merge_requests/edit_many", guard=REQUESTS)
@of_groups.get("merge_requests/edit_many", guard=GROUP)
def show_edit_requests(call: PageCall) -> View:
    """What can be changed of the selected requests."""
    return _form(call, OF_REQUESTS, _problem(call, OF_REQUESTS))


@pages.post("merge_requests/edit_many", guard=REQUESTS)
@of_groups.post("merge_requests/edit_many", guard=GROUP)
def edit_requests(call: PageCall) -> View | Response:
    """Change each; those that are refused come back with the reason."""
    return _edit(call, OF_REQUESTS)


def _edit(call: PageCall, kind: Kind) -> View | Response:
    chosen = _chosen(call)
    planning = _planning(call, kind, chosen)
    try:
        changes = _changes(call, kind, plans=bool(planning))
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return _form(call, kind, refusal_of(error), status=error.status)
    problem = _problem(call, kind)
    if problem:
        return _form(call, kind, problem, status=422)
    refusals = _edit_each(call, kind, chosen, changes, planning)
    if refusals:
        return _form(call, kind, f"{len(refusals)} of {len(chosen)} could not be updated.", refusals, 422)
    query = urlencode(parse_qsl(text(call, "back")))
    words = f"{len(chosen)} {kind.word}{'' if len(chosen) == 1 else 's'} changed."
    return done(call, f"{_root(call)}/-/{kind.key}{'?' if query else ''}{query}", words)


def _edit_each(
    call: PageCall, kind: Kind, chosen: list[Chosen], changes: dict[str, object], planning: set[int]
) -> dict[str, str]:
    """By the key of each: why it could not be changed."""
    refusals: dict[str, str] = {}
    for one in chosen:
        if one.project_id not in planning and set(changes) != {"state_event"}:
            refusals[_key(call, one)] = NO_PLANNING
            continue
        try:
            call.ask(kind.record, "PUT", id=one.project_id, **{kind.number: one.iid}, **changes)
        except ApiError as error:
            if error.status not in REFUSED_ONE:
                raise
            refusals[_key(call, one)] = refusal_of(error)
    return refusals


def _chosen(call: PageCall) -> list[Chosen]:
    """What was selected: by number in a project; in a group by those of the project and the record."""
    is_project = call.project_or_none is not None
    given = call.values.get("iids" if is_project else "records", [])
    chosen = []
    for word in given if isinstance(given, list) else [given]:
        place, _, iid = str(word).partition("-") if not is_project else (str(call.project.id), "", word)
        numbers = (number_in(place), number_in(iid))
        if numbers[0] is not None and numbers[1] is not None:
            chosen.append(Chosen(numbers[0], numbers[1]))
    return list(dict.fromkeys(chosen))


def _key(call: PageCall, one: Chosen) -> str:
    return str(one.iid) if call.project_or_none is not None else f"{one.project_id}-{one.iid}"


def _root(call: PageCall) -> str:
    return f"/{call.project.full_path}" if call.project_or_none is not None else f"/groups/{call.group.full_path}"


def _most(call: PageCall) -> int:
    return MOST if call.project_or_none is not None else MOST_IN_GROUPS


def _planning(call: PageCall, kind: Kind, chosen: list[Chosen]) -> set[int]:
    """The projects in which the visitor may set labels, milestones and people."""
    if call.project_or_none is not None:
        places = {call.project.id: call.project}
    else:
        places = find_projects(call.conn, call.actor, {one.project_id for one in chosen[:MOST_IN_GROUPS]})
    return {number for number, place in places.items() if kind.may_plan(call, place)}


def _problem(call: PageCall, kind: Kind) -> str:
    """What is wrong with the selection, or nothing."""
    chosen, most = _chosen(call), _most(call)
    if not chosen:
        return f"Select at least one {kind.word} first."
    if len(chosen) > most:
        return f"You can change at most {most} at once. These are the first {most} of your selection."
    return ""


def _changes(call: PageCall, kind: Kind, *, plans: bool) -> dict[str, object]:
    """The fields that were filled, as the API takes them."""
    result: dict[str, object] = {name: text(call, name) for name in ("state_event", *(PLANNED if plans else ()))}
    for name in kind.people if plans else ():
        names = text(call, name)
        result[PEOPLE[name]] = [NOBODY] if names.lower() == "none" else ids_of(call, names)
    if not any(result.values()):
        raise Unprocessable("Choose what to change.")
    return {name: value for name, value in result.items() if value}


def _form(
    call: PageCall, kind: Kind, problem: str, refusals: Mapping[str, str] | None = None, status: int = 200
) -> View:
    chosen = _chosen(call)[: _most(call)]
    can_set = bool(_planning(call, kind, chosen))
    is_project = call.project_or_none is not None
    return (project_view if is_project else group_view)(
        call, "edit_many", kind.key, status, kind=kind, problem=problem, chosen=_records(call, kind, chosen),
        refusals=refusals or {}, values={name: text(call, name) for name in ("state_event", *PLANNED, *PEOPLE)},
        can_set=can_set, field="iids[]" if is_project else "records[]",
        back=urlencode(parse_qsl(text(call, "back"))), **(offered_fields(call) if can_set else {}),
    )  # fmt: skip


def _records(call: PageCall, kind: Kind, chosen: list[Chosen]) -> list[dict[str, Any]]:
    """The selected records that the visitor may see, each with the key that it is sent by."""
    rows: list[dict[str, Any]] = []
    for project_id, some in groupby(sorted(chosen), key=lambda one: one.project_id):
        numbers = {"iids": [str(one.iid) for one in some]}
        records = call.ask_or_none(
            f"/projects/:id/{kind.key}", id=project_id, scope="all", per_page=str(MOST), **numbers
        )
        rows += [{**row, "key": _key(call, Chosen(project_id, row["iid"]))} for row in records or []]
    return rows
