"""Names that fit the filters of a list: people, labels, milestones, branches and environments, as the API tells them.

Each question is the endpoint's, with its guard: who may not see the members of a project is offered none.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from ingot.web.call import PageCall

MOST = 50  # names at once; the rest is found by typing
OWN = 100  # of the newest issues or merge requests of a visitor, whose names are offered over all projects
SHORTEST_ENVIRONMENT = 3  # letters that a search for environments takes
SCOPES: dict[str, tuple[dict[str, object], ...]] = {
    "issues": ({"scope": "assigned_to_me"}, {"scope": "created_by_me"}),
    "merge_requests": ({"scope": "assigned_to_me"}, {"scope": "created_by_me"}, {"scope": "reviews_for_me"}),
}


class OfferedNames(msgspec.Struct, frozen=True):
    """Values with the words that explain them; `more` where typing finds others."""

    names: list[tuple[str, str]]
    more: bool


Pairs = Iterable[tuple[str, str]]


def offered_names(call: PageCall, kind: str, search: str) -> OfferedNames:
    """The first names of a kind that contain these words."""
    is_own = call.project_or_none is None and call.group_or_none is None
    find = _users if is_own and kind == "people" else _own_names if is_own else IN_PLACE.get(kind)
    found = dict(find(call, kind, search)) if find is not None else {}
    names = list(found.items())
    return OfferedNames(names[:MOST], len(names) > MOST)


def _place(call: PageCall) -> str:
    return "/projects/:id" if call.project_or_none is not None else "/groups/:id"


def _people(call: PageCall, kind: str, search: str) -> Iterator[tuple[str, str]]:
    """Members first; others, who may have written something too, once somebody types their names."""
    rows = call.ask_columns(f"{_place(call)}/members/all", ("username", "name"), query=search or None, **_limits())
    yield from ((row["username"], row["name"]) for row in rows)
    if search and len(rows) <= MOST:
        yield from _users(call, kind, search)


def _users(call: PageCall, _: str, search: str) -> Iterator[tuple[str, str]]:
    rows = call.ask_columns("/users", ("username", "name"), search=search or None, **_limits())
    yield from ((row["username"], row["name"]) for row in rows)


def _labels(call: PageCall, _: str, search: str) -> Pairs:
    in_group = {"only_group_labels": False, "include_descendant_groups": True}
    below = in_group if call.project_or_none is None else {}
    rows = call.ask_columns(f"{_place(call)}/labels", ("name",), search=search or None, **below, **_limits())
    return _plain(row["name"] for row in rows)


def _milestones(call: PageCall, _: str, search: str) -> Pairs:
    below = {"include_descendants": True} if call.project_or_none is None else {}
    rows = call.ask_columns(
        f"{_place(call)}/milestones", ("title",), search=search or None, include_ancestors=True, **below, **_limits()
    )
    return _plain(row["title"] for row in rows)


def _branches(call: PageCall, _: str, search: str) -> Pairs:
    if call.project_or_none is None:
        return ()
    rows = call.ask_rows_or_none("/projects/:id/repository/branches", search=search or None, page="1", **_limits())
    return _plain(row["name"] for row in rows.items) if rows is not None else ()


def _environments(call: PageCall, _: str, search: str) -> Pairs:
    if call.project_or_none is None:
        return ()
    words = search if len(search) >= SHORTEST_ENVIRONMENT else None
    rows = call.ask_columns("/projects/:id/environments", ("name",), search=words, **_limits())
    return _plain(row["name"] for row in rows)


def _own_names(call: PageCall, kind: str, search: str) -> Pairs:
    """Over all projects no list has them: they are those of the visitor's newest issues or merge requests."""
    of = call.values.get("of")
    names: set[str] = set()
    for scope in SCOPES.get(of, ()) if isinstance(of, str) else ():
        for row in call.ask(f"/{of}", per_page=str(OWN), page="1", **scope):
            if kind == "labels":
                names.update(row["labels"])
            elif kind == "milestones" and row["milestone"]:
                names.add(row["milestone"]["title"])
            elif kind == "branches":
                names.update((row["source_branch"], row["target_branch"]))
    return _plain(sorted(name for name in names if search.lower() in name.lower()))


def _plain(names: Iterable[str]) -> Pairs:
    return ((name, "") for name in names)


def _limits() -> dict[str, str]:
    return {"per_page": str(MOST + 1)}


IN_PLACE: dict[str, Callable[[PageCall, str, str], Pairs]] = {
    "people": _people, "labels": _labels, "milestones": _milestones, "branches": _branches,
    "environments": _environments,
}  # fmt: skip
