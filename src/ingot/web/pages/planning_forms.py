"""Labels and milestones of projects and groups: the forms that write them."""

from collections.abc import Iterable, Mapping
from functools import partial
from urllib.parse import urlencode

from starlette.responses import Response

from ingot.access.policy import READ_GROUP, READ_PROJECT
from ingot.web.call import PageCall, View
from ingot.web.commenting import may_attach
from ingot.web.edited_fields import changed_fields, filled_form
from ingot.web.frames import group_view, project_view
from ingot.web.guards import InGroup, InProject
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text, texts

project = Pages("project")
group = Pages("group")
FIELDS = {
    "labels": ("name", "color", "description"),
    "milestones": ("title", "description", "start_date", "due_date"),
}
COLOUR = "#1f5fbf"
IN_PROJECT, IN_GROUP = InProject(READ_PROJECT, needs_user=True), InGroup(READ_GROUP, needs_user=True)
SUBSCRIBED = {
    "subscribe": "You are subscribed. You will be notified when an issue or merge request gets this label.",
    "unsubscribe": "You are no longer subscribed to this label.",
}


def declare(pages: Pages, kind: str) -> None:
    """Register the forms of labels or milestones in one kind of place."""
    is_project = pages is project
    base = f"/{'projects' if is_project else 'groups'}/:id/{kind}"
    key = "label_id" if kind == "labels" else "milestone_id"
    one = f"{base}/:{key}"
    template = f"{kind.removesuffix('s')}_form"
    fields = (*FIELDS[kind], "priority") if is_project and kind == "labels" else FIELDS[kind]
    guard = IN_PROJECT if is_project else IN_GROUP

    def form(call: PageCall, problem: str = "", status: int = 200, **filled: object) -> View:
        view = project_view if is_project else group_view
        return view(call, template, kind, status, problem=problem, can_attach=may_attach(call), **filled)

    def show_new(call: PageCall) -> View:
        """The form of a new one."""
        call.require("POST", base)
        return form(call, values={"color": COLOUR})

    def create(call: PageCall) -> View | Response:
        """Write a new one."""
        values = texts(call, fields)
        given = {name: value for name, value in values.items() if value}
        view = refused(lambda: call.ask(base, "POST", **given), partial(form, call, values=values))
        return view or _to_list(call, kind, "created")

    def show_edit(call: PageCall) -> View:
        """The form of an existing one."""
        call.require("PUT", one, **{key: call.path["number"]})
        return form(call, number=call.path["number"], **filled_form(call, {}, _shown(call, one, key, fields)))

    def edit(call: PageCall) -> View | Response:
        """Save it."""
        number, values = call.path["number"], texts(call, fields)
        call.require("PUT", one, **{key: number})
        now = _shown(call, one, key, fields)
        view = refused(
            lambda: _save(call, one, {key: number}, changed_fields(call, values, values, now)),
            lambda problem, status: form(call, problem, status, number=number, **filled_form(call, values, now)),
        )
        return view or _to_list(call, kind, "saved")

    def change_state(call: PageCall) -> Response:
        """Close a milestone, or open it again."""
        call.ask(one, "PUT", **{key: call.path["number"]}, state_event=call.values.get("state_event"))
        return _to_list(call, kind, "closed" if call.values.get("state_event") == "close" else "reopened")

    def promote(call: PageCall) -> Response:
        """Make it one of the group above, for all its projects."""
        method = "PUT" if kind == "labels" else "POST"
        call.ask(f"{one}/promote", method, **{key: call.path["number"]})
        return _to_list(call, kind, "promoted to the group")

    def remove(call: PageCall) -> Response:
        """Delete it."""
        call.ask(one, "DELETE", **{key: call.path["number"]})
        return _to_list(call, kind, "deleted")

    # The number is that of the API; the page of a milestone has the one that people count.
    pages.get(f"{kind}/new", guard=guard)(show_new)
    pages.post(kind, guard=guard)(create)
    pages.get(f"{kind}/{{number:int}}/edit", guard=guard)(show_edit)
    pages.post(f"{kind}/{{number:int}}/edit", guard=guard)(edit)
    pages.post(f"{kind}/{{number:int}}/remove", guard=guard)(remove)
    if is_project:
        pages.post(f"{kind}/{{number:int}}/promote", guard=guard)(promote)
    if kind == "milestones":
        pages.post(f"{kind}/{{number:int}}/state", guard=guard)(change_state)


@project.post("labels/{number:int}/subscription", guard=IN_PROJECT)
@group.post("labels/{number:int}/subscription", guard=IN_GROUP)
def subscribe(call: PageCall) -> Response:
    """Tell the visitor of issues and merge requests that get the label, or no longer."""
    verb = "subscribe" if call.values.get("subscribed") == "true" else "unsubscribe"
    base = "/groups/:id/labels" if call.project_or_none is None else "/projects/:id/labels"
    call.ask(f"{base}/:label_id/{verb}", "POST", label_id=call.path["number"])
    place = urlencode({name: value for name in ("search", "page") if (value := text(call, name))})
    return done(call, f"{call.own_root}/labels{'?' if place else ''}{place}", SUBSCRIBED[verb])


def _shown(call: PageCall, one: str, key: str, fields: Iterable[str]) -> dict[str, str]:
    """What the form of an existing one shows."""
    record = call.ask(one, **{key: call.path["number"]})
    return {name: "" if record[name] is None else str(record[name]) for name in fields}


def _save(call: PageCall, one: str, key: Mapping[str, str], given: dict[str, str]) -> None:
    if "name" in given:  # of a label, which the endpoint names by that
        given["new_name"] = given.pop("name")
    if given:
        call.ask(one, "PUT", **key, **given)


def may_promote(call: PageCall, kind: str) -> bool:
    """The project is in a group, and the visitor may write such things in both."""
    project = call.project_or_none
    if project is None or project.namespace_kind != "group" or not call.may("POST", f"/projects/:id/{kind}"):
        return False
    return call.may("POST", f"/groups/:id/{kind}", id=project.namespace_id)


def _to_list(call: PageCall, kind: str, what: str) -> Response:
    root = f"/{call.project.full_path}" if call.project_or_none is not None else f"/groups/{call.group.full_path}"
    return done(call, f"{root}/-/{kind}", f"{kind.removesuffix('s').capitalize()} {what}.")


for _pages in (project, group):
    declare(_pages, "labels")
    declare(_pages, "milestones")
