"""Names that people type in forms, as the ids that endpoints take: `ada, ben` is `[3, 4]`."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ingot.kit.errors import Unprocessable
from ingot.web.call import PageCall
from ingot.web.fields import Input
from ingot.web.issuable_fields import ids_of, split_names

BRANCHES = "/projects/:id/protected_branches"


def with_ids(call: PageCall, inputs: Iterable[Input], given: Mapping[str, object]) -> dict[str, object]:
    """What a form says, with ids in place of names; 422 names the first that is unknown."""
    result = dict(given)
    for entry in inputs:
        find, names = FINDERS.get(entry.kind), result.get(entry.name)
        if find is not None and isinstance(names, str):
            result[entry.name] = find(call, names)
    return result


def find_holder(call: PageCall, name: str) -> dict[str, object]:
    """The person or group of a name, as rules of access name them."""
    people = call.ask("/users", username=name.removeprefix("@"))
    if people:
        return {"user_id": people[0]["id"]}
    place = _group(call, name)
    if place is None:
        raise Unprocessable(f"There is no user or group “{name}”.")
    return {"group_id": place["id"]}


# Any: records of the API.
def _group(call: PageCall, name: str) -> Any:
    return call.ask_or_none("/groups/:id", id=name, with_projects=False)


def _groups(call: PageCall, names: str) -> list[object]:
    records = {name: _group(call, name) for name in split_names(names)}
    return _ids(records, "There is no group “{}”.")


def _only_group(call: PageCall, name: str) -> object:
    return _ids({name: _group(call, name)}, "There is no group “{}”.")[0]


def _only_project(call: PageCall, name: str) -> object:
    record = call.ask_or_none("/projects/:id", id=name.strip("/"))
    return _ids({name: record}, "There is no project “{}”.")[0]


def _branches(call: PageCall, names: str) -> list[object]:
    wanted = split_names(names)
    rows = {row["name"]: row for row in call.ask(BRANCHES, per_page="100")} if wanted else {}
    return _ids({name: rows.get(name) for name in wanted}, "“{}” is not a protected branch.")


def _ids(records: Mapping[str, Mapping[str, object] | None], missing: str) -> list[object]:
    result: list[object] = []
    for name, record in records.items():
        if record is None:
            raise Unprocessable(missing.format(name))
        result.append(str(record["id"]))
    return result


def _holders(call: PageCall, names: str) -> list[object]:
    return [find_holder(call, name) for name in split_names(names)]


# By kind of field.
FINDERS: dict[str, Callable[[PageCall, str], object]] = {
    "people": ids_of, "groups": _groups, "branches": _branches, "holders": _holders, "group": _only_group,
    "project": _only_project,
}  # fmt: skip
