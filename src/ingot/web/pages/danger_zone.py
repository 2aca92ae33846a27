"""What cannot be undone by itself: archiving, moving and deleting projects and groups."""

from collections.abc import Callable
from functools import wraps

from starlette.responses import Response

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP
from ingot.kit.errors import ApiError, Invalid
from ingot.web.call import PageCall, View
from ingot.web.guards import InGroup, InProject
from ingot.web.pages.creating import show_project_settings
from ingot.web.pages.group_settings import show_group_settings
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sections import REFUSALS
from ingot.web.sending import done, text

project = Pages("project")
group = Pages("group")
OF_PROJECT = InProject(ADMIN_PROJECT, needs_user=True)
OF_GROUP = InGroup(OWN_GROUP, needs_user=True)
Work = Callable[[PageCall], Response]
Show = Callable[[PageCall, str, int], View]


def or_again(show: Show) -> Callable[[Work], Callable[[PageCall], View | Response]]:
    """What is refused comes back on the page of its form, with the reason and what was typed."""

    def with_page(work: Work) -> Callable[[PageCall], View | Response]:
        @wraps(work)
        def handle(call: PageCall) -> View | Response:
            try:
                return work(call)
            except ApiError as error:
                if error.status not in REFUSALS:
                    raise
                return show(call, refusal_of(error), error.status)

        return handle

    return with_page


@project.post("edit/archive", guard=OF_PROJECT)
@or_again(show_project_settings)
def archive_project(call: PageCall) -> Response:
    """Make the project read-only, or writable again."""
    call.ask(f"/projects/:id/{'unarchive' if call.values.get('undo') else 'archive'}", "POST")
    return done(
        call,
        f"/{call.project.full_path}/edit",
        "Project unarchived." if call.values.get("undo") else "Project archived.",
    )


@project.post("edit/transfer", guard=OF_PROJECT)
@or_again(show_project_settings)
def move_project(call: PageCall) -> Response:
    """Move the project to another group or person."""
    moved = call.ask("/projects/:id/transfer", "PUT", namespace=text(call, "namespace"))
    return done(call, f"/{moved['path_with_namespace']}", "Project moved.")


@project.post("edit/remove", guard=OF_PROJECT)
@or_again(show_project_settings)
def remove_project(call: PageCall) -> Response:
    """Delete the project, once its path was typed."""
    _require_path(call, call.project.full_path)
    call.ask("/projects/:id", "DELETE", **_at_once(call, call.project.full_path))
    return done(call, "/", "Project deleted.")


@project.post("edit/restore", guard=OF_PROJECT)
@or_again(show_project_settings)
def restore_project(call: PageCall) -> Response:
    """Bring a project back that was to be deleted."""
    restored = call.ask("/projects/:id/restore", "POST")
    return done(call, f"/{restored['path_with_namespace']}/edit", "Project restored.")


@project.post("edit/export", guard=OF_PROJECT)
@or_again(show_project_settings)
def export_project(call: PageCall) -> Response:
    """Write the project to an archive, in the background."""
    upload = call.values.get("upload")
    given = {name: value for name, value in upload.items() if value} if isinstance(upload, dict) else {}
    is_sent = bool(given.get("url"))
    call.ask("/projects/:id/export", "POST", description=text(call, "description") or None,
             upload=given if is_sent else None)  # fmt: skip
    return done(call, f"/{call.project.full_path}/edit?watch=export#export", "Export started. You can leave this page.")


@group.post("remove", guard=OF_GROUP)
@or_again(show_group_settings)
def remove_group(call: PageCall) -> Response:
    """Delete the group, once its path was typed."""
    _require_path(call, call.group.full_path)
    call.ask("/groups/:id", "DELETE", **_at_once(call, call.group.full_path))
    return done(call, "/dashboard/groups", "Group deleted.")


@group.post("restore", guard=OF_GROUP)
@or_again(show_group_settings)
def restore_group(call: PageCall) -> Response:
    """Bring a group back that was to be deleted."""
    call.ask("/groups/:id/restore", "POST")
    return done(call, f"/groups/{call.group.full_path}", "Group restored.")


@group.post("transfer", guard=OF_GROUP)
@or_again(show_group_settings)
def move_group(call: PageCall) -> Response:
    """Move the group below another one, or to the top; which of both has to be said."""
    above = text(call, "parent")
    if bool(above) == ("to_top" in call.values):
        raise Invalid({"parent": ["Enter a group, or make it a top-level group."]})
    number = call.ask("/groups/:id", id=above, with_projects=False)["id"] if above else None
    moved = call.ask("/groups/:id/transfer", "POST", group_id=number)
    return done(call, f"/groups/{moved['full_path']}", "Group moved.")


def _at_once(call: PageCall, path: str) -> dict[str, object]:
    """Whether what was deleted already is to go now, before its time has come."""
    return {"permanently_remove": True, "full_path": path} if "at_once" in call.values else {}


def _require_path(call: PageCall, path: str) -> None:
    if text(call, "confirm") != path:
        raise Invalid({"The path you typed": [f"must be {path}"]})
