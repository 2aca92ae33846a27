"""Issues that go to another project."""

from urllib.parse import urlsplit

from starlette.responses import Response

from ingot.access.policy import READ_ISSUES
from ingot.kit.errors import Unprocessable
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.pages.issues import ISSUE
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("project")
ISSUES = InProject(READ_ISSUES, needs_user=True)
UNKNOWN = "There is no such project, or it is not for you to see."


@pages.get("issues/{iid:int}/move", guard=ISSUES)
def show_move(call: PageCall) -> View:
    """The form that asks for the other project."""
    return _move_form(call)


@pages.post("issues/{iid:int}/move", guard=ISSUES)
def move_issue(call: PageCall) -> View | Response:
    """Move the issue to another project and go there."""
    moved: dict[str, str] = {}

    def move() -> None:
        project = call.ask_or_none("/projects/:id", id=text(call, "project")) if text(call, "project") else None
        if project is None:
            raise Unprocessable(UNKNOWN)
        moved.update(call.ask(f"{ISSUE}/move", "POST", issue_iid=call.path["iid"], to_project_id=project["id"]))

    view = refused(move, lambda problem, status: _move_form(call, problem, status))
    return view or done(call, urlsplit(moved["web_url"]).path, "Issue moved.")


def _move_form(call: PageCall, problem: str = "", status: int = 200) -> View:
    issue = call.ask(ISSUE, issue_iid=call.path["iid"])
    projects = call.ask_or_none("/projects", membership=True, simple=True, with_issues_enabled=True, per_page="100")
    names = [row["path_with_namespace"] for row in projects or [] if row["id"] != call.project.id]
    return project_view(
        call, "issue_move", "issues", status, issue=issue, names=names, problem=problem, chosen=text(call, "project")
    )
