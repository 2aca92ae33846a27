"""Forms for the pictures of projects and groups."""

from starlette.responses import Response

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP
from ingot.kit.params import UploadedFile
from ingot.web.call import PageCall, View
from ingot.web.guards import InGroup, InProject
from ingot.web.pages import creating, group_settings
from ingot.web.registry import Pages
from ingot.web.sections import show_problem
from ingot.web.sending import done, refused

project = Pages("project")
group = Pages("group")


@project.post("edit/avatar", guard=InProject(ADMIN_PROJECT, needs_user=True))
def save_project_picture(call: PageCall) -> View | Response:
    """Show another picture of the project, or none."""
    view = refused(
        lambda: call.ask("/projects/:id", "PUT", avatar=_chosen(call)),
        lambda problem, status: creating.show_project_settings(call, problem, status),
    )
    return view or done(call, f"/{call.project.full_path}/-/edit#picture", "Avatar saved.")


@group.post("edit/avatar", guard=InGroup(OWN_GROUP, needs_user=True))
def save_group_picture(call: PageCall) -> View | Response:
    """Show another picture of the group, or none."""
    page = group_settings.PAGES[0]
    view = refused(
        lambda: call.ask("/groups/:id", "PUT", avatar=_chosen(call)),
        lambda problem, status: show_problem(call, page, group_settings.settings_view, problem, status),
    )
    return view or done(call, f"/groups/{call.group.full_path}/-/edit#picture", "Avatar saved.")


def _chosen(call: PageCall) -> UploadedFile | str:
    picture = call.values.get("avatar")
    return picture if isinstance(picture, UploadedFile) and picture.filename else ""
