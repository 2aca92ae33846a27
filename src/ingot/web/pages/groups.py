"""Groups: what is in them, and lists over all their projects."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NotRequired
from urllib.parse import urlencode

import msgspec

from ingot.access.namespaces import may_create_project_in
from ingot.access.policy import OWN_GROUP
from ingot.access.subjects import find_projects
from ingot.features.review.events import events_of_group
from ingot.features.spaces.groups import may_create_group
from ingot.features.spaces.projects import visible_paths
from ingot.features.transfer.group_archives import import_state
from ingot.web.answers import GroupRow, Issuable
from ingot.web.call import PageCall, View
from ingot.web.event_links import unlink_gone_pages
from ingot.web.frames import count_lists, group_view
from ingot.web.list_filters import (
    ISSUE_FILTERS,
    REQUEST_FILTERS,
    asked,
    chosen_filters,
    filter_facts,
    with_approver_ids,
)
from ingot.web.markdown import markdown
from ingot.web.pages.asking import may_ask
from ingot.web.pages.issues import may_plan_in
from ingot.web.registry import Pages
from ingot.web.request_facts import add_request_facts
from ingot.web.sending import number_in, text

pages = Pages("group")
REQUESTS = "/groups/:id/merge_requests"
STATES = ("opened", "merged", "closed", "all")
ORDERS = {
    "last_activity_at": "Last updated", "created_at": "Newest", "name": "Name", "path": "Path",
    "star_count": "Most stars",
}  # fmt: skip
EVENTS = 30  # of a page


class ListedIssue(Issuable):
    """An issue of a list, with what its row shows besides."""

    project_id: int
    can_edit: NotRequired[bool]


@pages.get("home")
def show_group(call: PageCall) -> View:
    """Subgroups and projects."""
    search, order = text(call, "search"), _order(call)
    groups = call.ask_rows("/groups/:id/descendant_groups", page="1", per_page="100", search=search or None)
    whole = bool(search)
    rows = call.ask_rows("/groups/:id/projects", search=search or None, include_subgroups=whole or None, **order)
    return group_view(
        call, "group", "overview", html=markdown(call, call.group.description), rows=rows, search=search,
        **_order_facts(order, search),
        groups=groups, tree=[] if whole else _tree(call, groups.items),
        can_ask=may_ask(call),
        coming=import_state(call.conn, call.group.id) if OWN_GROUP.allows(call.actor, call.group) else None,
        can_add_group=not call.actor.is_anonymous and may_create_group(call.conn, call.actor, call.group),
        can_add_project=not call.actor.is_anonymous and may_create_project_in(call.conn, call.actor, call.group),
    )  # fmt: skip


def _order(call: PageCall) -> dict[str, str]:
    """How lists of projects are sorted, in the API's words."""
    order = text(call, "order_by")
    order = order if order in ORDERS else next(iter(ORDERS))
    return {"order_by": order, "sort": "asc" if order in ("name", "path") else "desc"}


def _order_facts(order: dict[str, str], search: str = "") -> dict[str, object]:
    chosen = {"search": search, "order_by": order["order_by"] if order["order_by"] != next(iter(ORDERS)) else ""}
    query = urlencode({name: value for name, value in chosen.items() if value})
    return {"order": order["order_by"], "orders": ORDERS, "query": query}


def _tree(call: PageCall, groups: Sequence[GroupRow]) -> list[dict[str, Any]]:
    """The groups below, each with what is in it; of projects the hundred that changed last."""
    if not groups:
        return []
    projects = call.ask(
        "/groups/:id/projects", include_subgroups=True, order_by="last_activity_at", per_page="100", simple=False
    )
    nodes: dict[int, dict[str, Any]] = {row["id"]: {"group": row, "groups": [], "projects": []} for row in groups}
    top: list[dict[str, Any]] = []
    for row in sorted(groups, key=lambda row: row["full_path"]):
        above = nodes.get(row["parent_id"] or 0)
        (top if above is None else above["groups"]).append(nodes[row["id"]])
    for project in projects:
        if project["namespace"]["id"] in nodes:
            nodes[project["namespace"]["id"]]["projects"].append(project)
    return top


@pages.get("shared")
def list_shared(call: PageCall) -> View:
    """Projects of others that are shared with the group."""
    order = _order(call)
    rows = call.ask_rows("/groups/:id/projects/shared", **order)
    return group_view(call, "group_projects", "overview", rows=rows, heading="Shared projects", **_order_facts(order))


@pages.get("archived")
def list_archived(call: PageCall) -> View:
    """Archived projects."""
    order = _order(call)
    rows = call.ask_rows("/groups/:id/projects", archived=True, **order)
    return group_view(call, "group_projects", "overview", rows=rows, heading="Archived projects", **_order_facts(order))


@pages.get("activity")
def list_activity(call: PageCall) -> View:
    """What happened lately in all projects, by day."""
    listed = events_of_group(call, call.group.id, number_in(text(call, "before")), EVENTS + 1)
    rows: list[dict[str, Any]] = msgspec.to_builtins(listed[:EVENTS])
    paths = visible_paths(call.conn, call.actor, {row["project_id"] for row in rows})
    for row in rows:
        row["project"] = paths.get(row["project_id"])
    unlink_gone_pages(call, rows)
    days = [(day, list(part)) for day, part in groupby(rows, key=lambda row: row["created_at"][:10])]
    older = rows[-1]["id"] if len(listed) > EVENTS else None
    return group_view(call, "activity", "activity", days=days, older=older)


@pages.get("issues")
def list_issues(call: PageCall) -> View:
    """Issues of all projects."""
    filters, state = chosen_filters(call, ISSUE_FILTERS), _state(call, ("opened", "closed", "all"))
    rows = call.ask_rows("/groups/:id/issues", state=state, with_labels_details=True, **asked(filters))
    counts = call.ask("/groups/:id/issues_statistics", **asked(filters))["statistics"]["counts"]
    return group_view(
        call, "issues", "issues", rows=rows, counts=counts, can_create=False, can_set=_mark_editable(call, rows.items),
        **filter_facts(state, filters, ISSUE_FILTERS),
    )  # fmt: skip


def _mark_editable(call: PageCall, items: list[ListedIssue]) -> bool:
    """Mark the issues in whose projects the visitor may plan; whether there are any."""
    places = find_projects(call.conn, call.actor, {item["project_id"] for item in items}) if call.session else {}
    able = {number for number, place in places.items() if may_plan_in(call, place)}
    for item in items:
        item["can_edit"] = item["project_id"] in able
    return bool(able)


@pages.get("merge_requests")
def list_merge_requests(call: PageCall) -> View:
    """Merge requests of all projects."""
    filters, state = chosen_filters(call, REQUEST_FILTERS), _state(call, STATES)
    wanted = asked(with_approver_ids(call, filters))
    rows = call.ask_rows(REQUESTS, state=state, with_labels_details=True, with_merge_status_recheck=True, **wanted)
    add_request_facts(call, rows.items, rows.rows)
    counts = count_lists(call, {name: (REQUESTS, {"state": name, **wanted}) for name in STATES if name != state})
    return group_view(
        call, "merge_requests", "merge_requests", rows=rows, counts={**counts, state: rows.total}, can_create=False,
        **filter_facts(state, filters, REQUEST_FILTERS),
    )  # fmt: skip


def _state(call: PageCall, states: tuple[str, ...]) -> str:
    state = str(call.values.get("state", states[0]))
    return state if state in states else states[0]
