"""Children of records (links to labels, users, state events, stages): attributes that the product does not store.

They are stored with the parent under the name of the child, and written back to that child while it exists.
"""

from collections.abc import Callable, Mapping

REST_KEY = "rest of children"  # the key among what is kept of the parent; no archive can fill it
Child = Mapping[str, object]


def _person(child: Child, _index: int) -> str:
    return str(child.get("user_id"))


def _place(_child: Child, index: int) -> str:
    return str(index)


def _label(child: Child, _index: int) -> str:
    label = child.get("label")
    return str(label.get("title")) if isinstance(label, Mapping) else ""


def _name(child: Child, _index: int) -> str:
    return str(child.get("name"))


def _board_list(child: Child, _index: int) -> str:
    target = child.get("label") or child.get("milestone")
    return str(target.get("title")) if isinstance(target, Mapping) else _person(child, 0)


# How a child of each list is distinguished from its siblings, and which of its keys the product stores.
NAMES: dict[str, Callable[[Child, int], str]] = {
    "label_links": _label,
    "issue_assignees": _person,
    "merge_request_assignees": _person,
    "merge_request_reviewers": _person,
    "approvals": _person,
    "resource_label_events": _place,
    "resource_milestone_events": _place,
    "resource_state_events": _place,
    "timelogs": _place,
    "stages": _name,
    "lists": _board_list,
}
STORED = {
    "lists": frozenset(("list_type", "position", "user_id", "label", "milestone", "created_at", "updated_at")),
    "label_links": frozenset(("target_type", "label")),
    "issue_assignees": frozenset(("user_id",)),
    "merge_request_assignees": frozenset(("user_id",)),
    "merge_request_reviewers": frozenset(("user_id", "state", "created_at")),
    "approvals": frozenset(("user_id", "created_at")),
    "resource_label_events": frozenset(("action", "user_id", "created_at", "label")),
    "resource_milestone_events": frozenset(("action", "state", "user_id", "created_at", "milestone")),
    "resource_state_events": frozenset(("state", "user_id", "created_at")),
    "timelogs": frozenset(("time_spent", "user_id", "spent_at", "project_id", "summary", "created_at", "updated_at")),
    "stages": frozenset(
        ("name", "status", "position", "project_id", "statuses", "builds", "generic_commit_statuses", "bridges")
    ),
}


def name_of(kind: str, child: Child, index: int) -> str:
    """Which of its siblings a child is."""
    return NAMES[kind](child, index)


def put_back(record: dict[str, object], remaining: dict[str, object]) -> None:
    """Write the stored attributes back to existing children; `remaining` holds those of the parent."""
    kinds = remaining.pop(REST_KEY, None)
    for kind, rests in (kinds if isinstance(kinds, dict) else {}).items():
        children = record.get(kind)
        for index, child in enumerate(children if isinstance(children, list) else []):
            child.update(rests.get(name_of(kind, child, index), {}))
