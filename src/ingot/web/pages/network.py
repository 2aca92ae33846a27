"""The graph of a history, and other addresses of the list of all files."""

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_CODE
from ingot.web.call import PageCall, View
from ingot.web.commit_graph import draw
from ingot.web.folders import RefChoices, ref_choices
from ingot.web.frames import project_view
from ingot.web.guards import InHistory, InProject
from ingot.web.registry import Pages
from ingot.web.revisions import split
from ingot.web.waiting import if_ready

pages = Pages("project")
CODE = InProject(READ_CODE)


@pages.get("network/{rest*}", guard=InHistory())
def show_graph(call: PageCall) -> View:
    """Commits of a revision with their parents, as a picture."""
    ref, _ = split(call, call.path["rest"])
    rows = if_ready(
        call, lambda: call.ask_rows("/projects/:id/repository/commits", ref_name=ref, order="topo", per_page="50")
    )
    choices = ref_choices(call, columns=())  # whole: the commits of the refs are marked
    return project_view(
        call, "network", "code", ref=ref, rows=rows, picture=draw(rows.items) if rows else None,
        names=_by_commit(choices), **choices,
    )  # fmt: skip


def _by_commit(choices: RefChoices) -> dict[str, list[tuple[str, str]]]:
    """The branches and tags at each commit, with their icons."""
    result: dict[str, list[tuple[str, str]]] = {}
    for icon, rows in (("branch", choices["branches"]), ("tag", choices["tags"])):
        for row in rows:
            if row["commit"]:
                result.setdefault(row["commit"]["id"], []).append((icon, row["name"]))
    return result


@pages.get("files/{rest*}", guard=CODE)
def redirect_to_all_files(call: PageCall) -> Response:
    """The list of all files has one page."""
    return RedirectResponse(f"/{call.project.full_path}/-/find_file/{call.path['rest']}", 302)
