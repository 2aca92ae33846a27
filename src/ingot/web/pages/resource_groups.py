"""Resource groups: which job has a resource, which wait for it, and in which order they get it."""

from urllib.parse import quote

from starlette.responses import Response

from ingot.access.policy import READ_BUILDS
from ingot.features.ci.resource_groups import resource_lines
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("project")
BUILDS = InProject(READ_BUILDS)
GROUPS = "/projects/:id/resource_groups"
GROUP = f"{GROUPS}/:key"
PATH = "resource_groups/{key}"
MODES = {
    "unordered": "Longest waiting job",
    "oldest_first": "Job of the oldest pipeline",
    "newest_first": "Job of the newest pipeline",
    "newest_ready_first": "Job of the newest ready pipeline",
}


@pages.get("resource_groups", guard=BUILDS)
def list_resource_groups(call: PageCall) -> View:
    """All resource groups, with the lines before them."""
    rows = call.ask_rows(GROUPS)
    lines = resource_lines(call.conn, [row["id"] for row in rows.items])
    return project_view(call, "resource_groups", "pipelines", rows=rows, lines=lines, modes=MODES)


@pages.get(PATH, guard=BUILDS)
def show_resource_group(call: PageCall) -> View:
    """One resource group: the job that has it, and those that wait."""
    return _view(call)


@pages.post(PATH, guard=BUILDS)
def save_resource_group(call: PageCall) -> View | Response:
    """Which of the waiting jobs gets it next."""
    key = call.path["key"]
    view = refused(
        lambda: call.ask(GROUP, "PUT", key=key, process_mode=text(call, "process_mode")),
        lambda problem, status: _view(call, problem, status),
    )
    return view or done(call, f"{call.own_root}/resource_groups/{quote(key, safe='')}", "Saved.")


def _view(call: PageCall, problem: str = "", status: int = 200) -> View:
    key = call.path["key"]
    return project_view(
        call, "resource_group", "pipelines", status, resource=call.ask(GROUP, key=key), modes=MODES, problem=problem,
        current=call.ask(f"{GROUP}/current_job", key=key), rows=call.ask_rows(f"{GROUP}/upcoming_jobs", key=key),
        can_update=call.may("PUT", GROUP, key=key),
    )  # fmt: skip
