"""The form that forks a project."""

from starlette.responses import Response

from ingot.access.policy import READ_PROJECT
from ingot.kit.errors import Forbidden
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, texts

pages = Pages("project")
FORKERS = InProject(READ_PROJECT, needs_user=True)
FORK = "/projects/:id/fork"
FIELDS = ("name", "path", "namespace_id", "description", "visibility", "branches")


@pages.get("forks/new", guard=FORKERS)
def show_fork_form(call: PageCall) -> View:
    """Where the fork goes and what it is called."""
    if not call.may("POST", FORK):
        raise Forbidden("You do not have permission to fork this project.")
    project = call.ask("/projects/:id")
    values = {name: str(project.get(name) or "") for name in ("name", "path", "description", "visibility")}
    return _form(call, values)


@pages.post("forks", guard=FORKERS)
def fork_project(call: PageCall) -> View | Response:
    """Fork the project; a refused form is shown again with its values."""
    values = texts(call, FIELDS)
    given = {name: value for name, value in values.items() if value}
    fork: dict[str, str] = {}
    view = refused(
        lambda: fork.update(call.ask(FORK, "POST", **given)),
        lambda problem, status: _form(call, values, problem, status),
    )
    return view or done(call, f"/{fork['path_with_namespace']}", "The fork is being created.")


def _form(call: PageCall, values: dict[str, str], problem: str = "", status: int = 200) -> View:
    namespaces = call.ask_or_none("/namespaces", per_page="100") or []
    return project_view(
        call, "fork_form", "code", status, values=values, namespaces=namespaces, problem=problem,
        default_branch=call.project.default_branch,
    )  # fmt: skip
