"""Issues that go to another project, and copies of them."""

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
UNKNOWN = "This project does not exist, or you do not have access to it."


@pages.get("issues/{iid:int}/move", guard=ISSUES)
def show_move(call: PageCall) -> View:
    """The form that asks for the other project."""
    return _form(call, "move")


@pages.post("issues/{iid:int}/move", guard=ISSUES)
def move_issue(call: PageCall) -> View | Response:
    """Move the issue to another project and go there."""
    return _send(call, "move", "Issue moved.")


@pages.get("issues/{iid:int}/clone", guard=ISSUES)
def show_clone(call: PageCall) -> View:
    """The form that asks for the project of the copy."""
    return _form(call, "clone")


@pages.post("issues/{iid:int}/clone", guard=ISSUES)
def clone_issue(call: PageCall) -> View | Response:
    """Copy the issue and go to the copy."""
    return _send(call, "clone", "Issue cloned.", with_notes="with_notes" in call.values)


def _send(call: PageCall, verb: str, words: str, **options: bool) -> View | Response:
    created: dict[str, str] = {}

    def send() -> None:
        project = call.ask_or_none("/projects/:id", id=text(call, "project")) if text(call, "project") else None
        if project is None:
            raise Unprocessable(UNKNOWN)
        numbers = {"issue_iid": call.path["iid"], "to_project_id": project["id"]}
        created.update(call.ask(f"{ISSUE}/{verb}", "POST", **numbers, **options))

    view = refused(send, lambda problem, status: _form(call, verb, problem, status))
    return view or done(call, urlsplit(created["web_url"]).path, words)


def _form(call: PageCall, verb: str, problem: str = "", status: int = 200) -> View:
    issue = call.ask(ISSUE, issue_iid=call.path["iid"])
    projects = call.ask_or_none("/projects", membership=True, simple=True, with_issues_enabled=True, per_page="100")
    own = call.project.full_path
    names = [row["path_with_namespace"] for row in projects or [] if row["id"] != call.project.id]
    return project_view(
        call, "issue_move", "issues", status, issue=issue, verb=verb, problem=problem,
        names=names if verb == "move" else [own, *names],
        chosen=text(call, "project") or (own if verb == "clone" else ""), with_notes="with_notes" in call.values,
    )  # fmt: skip
