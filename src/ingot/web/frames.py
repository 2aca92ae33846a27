"""The frame of a page: the tabs of a project or group that the visitor may open, with their counts."""

from collections.abc import Collection, Mapping
from typing import Any

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import Visibility
from ingot.access.policy import ADMIN_PROJECT, READ_BUILDS, READ_CODE, READ_ISSUES, READ_MERGE_REQUESTS
from ingot.kit.actor import Actor
from ingot.kit.statements import lasting_values
from ingot.web.call import EntryList, PageCall, View

# Name, address below `/-/`, right, key.
PROJECT_TABS: tuple[tuple[str, str, ProjectAbility | None, str], ...] = (
    ("Code", "", READ_CODE, "code"),
    ("Issues", "/-/issues", READ_ISSUES, "issues"),
    ("Merge requests", "/-/merge_requests", READ_MERGE_REQUESTS, "merge_requests"),
    ("Pipelines", "/-/pipelines", READ_BUILDS, "pipelines"),
    ("Releases", "/-/releases", None, "releases"),
    ("Wiki", "/-/wikis", None, "wikis"),
    ("Snippets", "/-/snippets", None, "snippets"),
    ("Milestones", "/-/milestones", None, "milestones"),
    ("Labels", "/-/labels", None, "labels"),
    ("Members", "/-/project_members", None, "members"),
    ("Settings", "/-/edit", ADMIN_PROJECT, "settings"),
)
# Parts of a project that only some pages show; these ask for the whole project.
UNFRAMED = ("permissions", "shared_with_groups", "topics")
GROUP_TABS = (
    ("Overview", "", "overview"),
    ("Activity", "/-/activity", "activity"),
    ("Issues", "/-/issues", "issues"),
    ("Merge requests", "/-/merge_requests", "merge_requests"),
    ("Milestones", "/-/milestones", "milestones"),
    ("Labels", "/-/labels", "labels"),
    ("Wiki", "/-/wikis", "wikis"),
    ("Members", "/-/group_members", "members"),
    ("Settings", "/-/edit", "settings"),
)


def project_view(call: PageCall, template: str, tab: str, code: int = 200, /, **data: object) -> View:
    """A page of a project."""
    project = framed_project(call)
    path = f"/{project['path_with_namespace']}"
    shown = [entry for entry in PROJECT_TABS if _may_open(call, entry[2], entry[3])]
    counts = {"issues": project.get("open_issues_count")}
    keys = {key for *_, key in shown}
    of_anonymous = call.actor.is_anonymous and "issues" in keys  # the API leaves it out for them
    counts |= count_lists(call, {"issues": ("/projects/:id/issues", {"state": "opened"})} if of_anonymous else {})
    counts["merge_requests"] = call.counted.get("merge_requests")
    tabs = [
        {"name": name, "href": f"{path}{address}", "is_current": key == tab, "count": counts.get(key)}
        for name, address, _, key in shown
    ]
    # The API leaves the visibility out for anonymous callers; they see the page, so it is not secret.
    visibility = Visibility(call.project.row.visibility).word
    frame = {"project": project, "visibility": visibility, "root": path, "tabs": tabs, "tab": tab, **site_data(call)}
    return View(template, {**frame, **data}, code)


# Any: the record of the API.
def framed_project(call: PageCall) -> Any:
    """The project of the page, without the parts that few pages show."""
    return call.ask_without(UNFRAMED, "/projects/:id")


def _may_open(call: PageCall, rule: ProjectAbility | None, key: str) -> bool:
    if rule is not None:
        return key == "code" or rule.allows(call.actor, call.project)
    if key == "members":
        return call.may("GET", "/projects/:id/members/all")
    return call.may("GET", f"/projects/:id/{key}")


def _may_open_in_group(call: PageCall, key: str) -> bool:
    if key == "members":
        return call.may("GET", "/groups/:id/members/all")
    if key == "wikis":
        return call.services.settings.has_tier("premium") and call.may("GET", "/groups/:id/wikis")
    return key != "settings" or call.may("PUT", "/groups/:id")


def group_view(call: PageCall, template: str, tab: str, code: int = 200, /, **data: object) -> View:
    """A page of a group."""
    group = call.ask("/groups/:id", with_projects=False)
    path = f"/groups/{group['full_path']}"
    tabs = [
        {"name": name, "href": f"{path}{address}", "is_current": key == tab, "count": None}
        for name, address, key in GROUP_TABS
        if _may_open_in_group(call, key)
    ]
    visibility = Visibility(call.group.row.visibility).word
    frame = {"group": group, "visibility": visibility, "root": path, "tabs": tabs, "tab": tab, **site_data(call)}
    return View(template, {**frame, **data}, code)


def site_view(call: PageCall, template: str, code: int = 200, /, **data: object) -> View:
    """A page of the site itself."""
    return View(template, {**site_data(call), **data}, code)


def site_data(call: PageCall) -> dict[str, object]:
    """What the header shows on every page."""
    if call.actor.is_anonymous:
        return {}
    count_lists(call, {})
    return {"todo_count": call.counted["todos"]}


def count_lists(call: PageCall, lists: Mapping[str, EntryList]) -> dict[str, int | None]:
    """How many entries lists have, asked in one statement with what the frame counts and is not known yet."""
    of_frame = {name: entries for name, entries in _frame_lists(call).items() if name not in call.counted}
    names = {(name, call.project.id if ":id" in of_frame[name][0] else 0, call.actor): name for name in of_frame}
    counted: dict[str, int | None] = {}

    def read(keys: Collection[tuple[str, int, Actor]]) -> dict[tuple[str, int, Actor], int | None]:
        unknown = {key: of_frame[names[key]] for key in keys}
        totals = call.ask_counts_or_none({**lists, **unknown})
        counted.update({name: totals[name] for name in lists})
        return {key: totals[key] for key in keys}

    known = lasting_values(names, read) if names else {}
    call.counted |= {names[key]: number for key, number in known.items()}
    return counted if len(counted) == len(lists) else call.ask_counts_or_none(lists)


def _frame_lists(call: PageCall) -> dict[str, EntryList]:
    """What the frames of all pages of a visitor count."""
    lists: dict[str, EntryList] = {}
    if call.project_or_none is not None and READ_MERGE_REQUESTS.allows(call.actor, call.project):
        lists["merge_requests"] = ("/projects/:id/merge_requests", {"state": "opened"})
    if not call.actor.is_anonymous:
        lists["todos"] = ("/todos", {})
    return lists
