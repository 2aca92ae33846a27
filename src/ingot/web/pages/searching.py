"""Search: the API's, in the instance, a group or a project; for anonymous visitors, its public lists."""

from collections.abc import Sequence
from time import monotonic

import msgspec
from starlette.responses import JSONResponse, Response

from ingot.features.planning.issuable_lists import label_colours
from ingot.features.review.search import IN_REPOSITORIES, MOST_BEYOND, count_hits, limit_searches
from ingot.features.spaces.projects import visible_paths
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, Rows, View
from ingot.web.frames import site_view
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import text

pages = Pages("site")
NAMES = {
    "projects": "Projects", "blobs": "Code", "issues": "Issues", "merge_requests": "Merge requests",
    "commits": "Commits", "notes": "Comments", "milestones": "Milestones", "wiki_blobs": "Wiki",
    "snippet_titles": "Snippets", "users": "Users", "groups": "Groups",
}  # fmt: skip
ISSUABLES: dict[str, object] = {"scope": "all", "with_labels_details": True}
# What anonymous visitors search in, since the API's search is for others, by the parameter that names the place.
LISTS: dict[str, dict[str, tuple[str, dict[str, object]]]] = {
    "": {
        "projects": ("/projects", {"simple": False}),
        "groups": ("/groups", {"all_available": True}),
        "users": ("/users", {}),
        "issues": ("/issues", ISSUABLES),
        "merge_requests": ("/merge_requests", ISSUABLES),
    },
    "project_id": {
        "issues": ("/projects/:id/issues", ISSUABLES),
        "merge_requests": ("/projects/:id/merge_requests", ISSUABLES),
        "milestones": ("/projects/:id/milestones", {}),
    },
    "group_id": {
        "projects": ("/groups/:id/projects", {"include_subgroups": True}),
        "issues": ("/groups/:id/issues", ISSUABLES),
        "merge_requests": ("/groups/:id/merge_requests", ISSUABLES),
        "milestones": ("/groups/:id/milestones", {}),
    },
}
PLACES = (("project_id", "/projects/:id"), ("group_id", "/groups/:id"))
NOT_IN_PROJECTS, ONLY_EVERYWHERE = ("projects", "groups", "snippet_titles"), ("groups", "snippet_titles")
REFUSALS = (400, 403, 408, 429)
# Kinds whose labels the search gives by name.
LABELLED = {"issues": "Issue", "merge_requests": "MergeRequest"}
NO_COLOUR = "#7d8794"
COUNTING_SECONDS = 1.0
A_PAGE = 20


class Where(msgspec.Struct, frozen=True):
    """The place to search in."""

    field: str  # the parameter that names it
    address: str  # of the endpoint that searches there
    place: dict[str, object] | None

    @property
    def named(self) -> dict[str, object]:
        return {"id": self.place["id"]} if self.place else {}


@pages.get("search")
def search(call: PageCall) -> View:
    """Search in one kind of record at a time."""
    words, where = text(call, "search"), _place(call)
    scope, scopes = text(call, "scope"), _scopes(where.field)
    scope = scope if scope in scopes else _first_scope(call, where.field)
    rows, problem = _found(call, words, scope, where) if words else (None, "")
    counts, stopped_at = _shown_counts(call, words, scope, where, rows), _stopped_at(rows, scope)
    if rows is not None and stopped_at:  # nobody knows how many there are
        rows, counts[scope] = msgspec.structs.replace(rows, total=None, pages=None), f"{stopped_at:,}+"
    here = "".join(f"{where.field}={number}&" for number in where.named.values())
    return site_view(
        call, "search", rows=rows, words=words, scope=scope, problem=problem, place=where.place, field=where.field,
        scopes={name: NAMES[name] for name in scopes}, projects=_projects(call, rows), here=here,
        counts=counts, stopped_at=stopped_at,
        coming=[name for name in scopes if words and _is_counted(call, name, where.field)],
        needs_account=_needs_account(call, scope, where.field) or (bool(words) and rows is None and not problem),
    )  # fmt: skip


def _found(call: PageCall, words: str, scope: str, where: Where) -> tuple[Rows | None, str]:
    """What was found, or why nobody looked."""
    try:
        return _rows(call, words, scope, where), ""
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return None, refusal_of(error)


def _stopped_at(rows: Rows | None, scope: str) -> int:
    """After so many hits the search stopped; 0 where it found all."""
    if rows is None or rows.total is None or scope not in IN_REPOSITORIES:
        return 0
    return rows.total if rows.total >= (rows.page - 1) * A_PAGE + MOST_BEYOND else 0


def _shown_counts(call: PageCall, words: str, scope: str, where: Where, rows: Rows | None) -> dict[str, str]:
    """The counts that the page comes with: of its own list, and in a project of all that the database counts."""
    counts = {}
    if words and where.field == "project_id" and not call.actor.is_anonymous:
        cheap = [name for name in _scopes(where.field) if name not in IN_REPOSITORIES and name != scope]
        counts = _counts(call, words, cheap, where)
    if rows is not None and rows.total is not None:
        counts[scope] = f"{rows.total:,}"
    return counts


@pages.get("search/counts")
def count_others(call: PageCall) -> Response:
    """How many hits each kind of record has, as far as that is found out in a moment; for a script."""
    words, where = text(call, "search"), _place(call)
    counts = {}
    if words:
        limit_searches(call)
        counts = _counts(call, words, _scopes(where.field), where)
    return JSONResponse(counts, headers={"Cache-Control": "private, no-cache"})


def _counts(call: PageCall, words: str, scopes: Sequence[str], where: Where) -> dict[str, str]:
    counts = {}
    end = monotonic() + COUNTING_SECONDS
    for scope in scopes:
        if monotonic() > end:
            break
        try:
            hits = _count(call, words, scope, where)
        except ApiError as error:
            if error.status not in REFUSALS:
                raise
            continue
        if hits is not None:
            counts[scope] = f"{hits[0]:,}{'+' if hits[1] else ''}"
    return counts


def _count(call: PageCall, words: str, scope: str, where: Where) -> tuple[int, bool] | None:
    if call.actor.is_anonymous or scope == "groups":
        listed, options = LISTS[where.field].get(scope, ("", {}))
        number = call.ask_count_or_none(listed, search=words, **options, **where.named) if listed else None
        return None if number is None else (number, False)
    return count_hits(call.prepare(where.address, search=words, scope=scope, **where.named))


def _place(call: PageCall) -> Where:
    """The project or group to search in."""
    for field, address in PLACES:
        number = text(call, field)
        if number.isdecimal():
            return Where(field, f"{address}/search", call.ask(address, id=number))
    return Where("", "/search", None)


def _scopes(field: str) -> list[str]:
    left_out = NOT_IN_PROJECTS if field == "project_id" else ONLY_EVERYWHERE if field else ()
    return [name for name in NAMES if name not in left_out]


def _first_scope(call: PageCall, field: str) -> str:
    return next(iter(LISTS[field])) if call.actor.is_anonymous else _scopes(field)[0]


def _needs_account(call: PageCall, scope: str, field: str) -> bool:
    return call.actor.is_anonymous and scope not in LISTS[field]


def _is_counted(call: PageCall, scope: str, field: str) -> bool:
    """A script asks for the number of hits."""
    if call.actor.is_anonymous:
        return not _needs_account(call, scope, field)
    return field == "project_id" or scope not in IN_REPOSITORIES


def _rows(call: PageCall, words: str, scope: str, where: Where) -> Rows | None:
    """The hits; None where the API does not let the visitor search."""
    if call.actor.is_anonymous or scope == "groups":
        listed, options = LISTS[where.field].get(scope, ("", {}))
        return call.ask_rows_or_none(listed, search=words, **options, **where.named) if listed else None
    rows = call.ask_rows(where.address, search=words, scope=scope, per_page=str(A_PAGE), **where.named)
    if scope in LABELLED:
        colours = label_colours(call.conn, LABELLED[scope], [row["id"] for row in rows.items])
        for row in rows.items:
            own = colours.get(row["id"], {})
            row["labels"] = [{"name": name, "color": own.get(name, NO_COLOUR)} for name in row["labels"]]
    return rows


def _projects(call: PageCall, rows: Rows | None) -> dict[int, dict[str, str]]:
    """The projects of the hits that name theirs by number only."""
    numbers = {row["project_id"] for row in rows.items if row.get("project_id")} if rows else set()
    return visible_paths(call.conn, call.actor, numbers)
