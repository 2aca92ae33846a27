"""Search: the API's, in the instance, a group or a project; for anonymous visitors, its public lists."""

from collections.abc import Sequence
from time import monotonic

from starlette.responses import JSONResponse, Response

from ingot.features.planning.issuable_lists import label_colours
from ingot.features.review.search import IN_REPOSITORIES, count_hits, limit_searches
from ingot.features.spaces.projects import visible_paths
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, Rows, View
from ingot.web.frames import site_view
from ingot.web.registry import Pages
from ingot.web.rendering import sentence_of
from ingot.web.sending import text

pages = Pages("site")
NAMES = {
    "projects": "Projects", "blobs": "Code", "issues": "Issues", "merge_requests": "Merge requests",
    "commits": "Commits", "notes": "Comments", "milestones": "Milestones", "wiki_blobs": "Wiki",
    "snippet_titles": "Snippets", "users": "People", "groups": "Groups",
}  # fmt: skip
# Where the API has no search for a scope, or none for anonymous visitors.
LISTS: dict[str, tuple[str, dict[str, object]]] = {
    "projects": ("/projects", {"simple": False}),
    "groups": ("/groups", {"all_available": True}),
    "users": ("/users", {}),
    "issues": ("/issues", {"scope": "all", "with_labels_details": True}),
    "merge_requests": ("/merge_requests", {"scope": "all", "with_labels_details": True}),
}
PLACES = (("project_id", "/projects/:id"), ("group_id", "/groups/:id"))
NOT_IN_PROJECTS, ONLY_EVERYWHERE = ("projects", "groups", "snippet_titles"), ("groups", "snippet_titles")
REFUSALS = (400, 403, 408, 429)
# Kinds whose labels the search gives by name.
LABELLED = {"issues": "Issue", "merge_requests": "MergeRequest"}
NO_COLOUR = "#7d8794"
COUNTING_SECONDS = 1.0
# The parameter that names the place, the endpoint of its search, and the place itself.
Where = tuple[str, str, dict[str, object] | None]


@pages.get("search")
def search(call: PageCall) -> View:
    """Search in one kind of record at a time."""
    words, scope = text(call, "search"), text(call, "scope")
    where = field, address, place = _place(call)
    scopes = _scopes(call, field)
    scope = scope if scope in scopes else scopes[0]
    rows, problem = None, ""
    if words:
        try:
            rows = _rows(call, words, scope, address, place)
        except ApiError as error:
            if error.status not in REFUSALS:
                raise
            problem = sentence_of(error)
    here = f"{field}={place['id']}&" if place else ""
    return site_view(
        call, "search", rows=rows, words=words, scope=scope, problem=problem, place=place, field=field, here=here,
        scopes={name: NAMES[name] for name in scopes}, projects=_projects(call, rows),
        counts=_shown_counts(call, words, scope, where, rows),
        coming=[name for name in scopes if words and (field == "project_id" or name not in IN_REPOSITORIES)],
    )  # fmt: skip


def _shown_counts(call: PageCall, words: str, scope: str, where: Where, rows: Rows | None) -> dict[str, str]:
    """The counts that the page comes with: of its own list, and in a project of all that the database counts."""
    field, address, place = where
    counts = {}
    if words and field == "project_id" and not call.actor.is_anonymous:
        cheap = [name for name in _scopes(call, field) if name not in IN_REPOSITORIES and name != scope]
        counts = _counts(call, words, cheap, address, place)
    if rows is not None and rows.total is not None:
        counts[scope] = f"{rows.total:,}"
    return counts


@pages.get("search/counts")
def count_others(call: PageCall) -> Response:
    """How many hits each kind of record has, as far as that is found out in a moment; for a script."""
    words = text(call, "search")
    field, address, place = _place(call)
    counts = {}
    if words:
        limit_searches(call)
        counts = _counts(call, words, _scopes(call, field), address, place)
    return JSONResponse(counts, headers={"Cache-Control": "private, no-cache"})


def _counts(
    call: PageCall, words: str, scopes: Sequence[str], address: str, place: dict[str, object] | None
) -> dict[str, str]:
    counts = {}
    end = monotonic() + COUNTING_SECONDS
    for scope in scopes:
        if monotonic() > end:
            break
        try:
            hits = _count(call, words, scope, address, place)
        except ApiError as error:
            if error.status not in REFUSALS:
                raise
            continue
        if hits is not None:
            counts[scope] = f"{hits[0]:,}{'+' if hits[1] else ''}"
    return counts


def _count(
    call: PageCall, words: str, scope: str, address: str, place: dict[str, object] | None
) -> tuple[int, bool] | None:
    if call.actor.is_anonymous or scope == "groups":
        listed, options = LISTS[scope]
        number = call.ask_count_or_none(listed, search=words, **options)
        return None if number is None else (number, False)
    where = {"id": place["id"]} if place else {}
    return count_hits(call.prepare(address, search=words, scope=scope, **where))


def _place(call: PageCall) -> Where:
    """The project or group to search in, and the endpoint of its search."""
    for field, address in PLACES:
        number = text(call, field)
        if number.isdecimal():
            return field, f"{address}/search", call.ask(address, id=number)
    return "", "/search", None


def _scopes(call: PageCall, field: str) -> list[str]:
    if call.actor.is_anonymous:
        return list(LISTS)
    left_out = NOT_IN_PROJECTS if field == "project_id" else ONLY_EVERYWHERE if field else ()
    return [name for name in NAMES if name not in left_out]


def _rows(call: PageCall, words: str, scope: str, address: str, place: dict[str, object] | None) -> Rows | None:
    if call.actor.is_anonymous or scope == "groups":
        listed, options = LISTS[scope]
        return call.ask_rows_or_none(listed, search=words, **options)
    where = {"id": place["id"]} if place else {}
    rows = call.ask_rows(address, search=words, scope=scope, **where)
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
