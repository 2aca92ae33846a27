"""Commits that are taken back, or taken over to another branch."""

from urllib.parse import quote

from starlette.responses import Response

from ingot.access.policy import READ_CODE
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject, can_push
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("project")
CODE = InProject(READ_CODE, needs_user=True)
COMMIT = "/projects/:id/repository/commits/:sha"


@pages.get("commit/{sha}/revert", guard=CODE)
@pages.get("commit/{sha}/cherry_pick", guard=CODE)
def show_form(call: PageCall) -> View:
    """Where to."""
    return _form(call)


@pages.post("commit/{sha}/revert", guard=CODE)
@pages.post("commit/{sha}/cherry_pick", guard=CODE)
def apply_commit(call: PageCall) -> View | Response:
    """Commit the change, or its opposite, to a branch: one that is there, or a new one with a merge request."""
    target, fresh = text(call, "branch"), text(call, "new_branch")
    branch = fresh or target
    new_commit: dict[str, str] = {}

    def apply() -> None:
        if fresh:
            call.ask("/projects/:id/repository/branches", "POST", branch=fresh, ref=target)
        try:
            new_commit.update(call.ask(f"{COMMIT}/{_verb(call)}", "POST", sha=call.path["sha"], branch=branch))
        finally:
            if fresh and not new_commit:
                call.ask("/projects/:id/repository/branches/:branch", "DELETE", branch=fresh)

    view = refused(apply, lambda problem, status: _form(call, problem, status))
    return view or done(call, _next(call, new_commit["id"], branch, target), f"Committed to {branch}.")


def _verb(call: PageCall) -> str:
    return call.request.url.path.rpartition("/")[2]


def _next(call: PageCall, sha: str, branch: str, target: str) -> str:
    root = f"/{call.project.full_path}/-"
    if branch == target or not call.may("POST", "/projects/:id/merge_requests"):
        return f"{root}/commit/{sha}"
    names = {"source": branch, "target": target}
    query = "&".join(f"merge_request%5B{name}_branch%5D={quote(value, safe='')}" for name, value in names.items())
    return f"{root}/merge_requests/new?{query}"


def _form(call: PageCall, problem: str = "", status: int = 200) -> View:
    if not can_push(call):
        raise NotFound
    commit = call.ask(COMMIT, sha=call.path["sha"], stats=False)
    branches = call.ask_rows("/projects/:id/repository/branches", page="1", per_page="100", sort="updated_desc")
    return project_view(
        call, "commit_pick", "code", status, commit=commit, verb=_verb(call), problem=problem,
        names=[row["name"] for row in branches.items], chosen=text(call, "branch") or call.project.default_branch,
        fresh=text(call, "new_branch"),
    )  # fmt: skip
