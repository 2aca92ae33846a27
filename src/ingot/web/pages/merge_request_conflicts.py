"""Conflicts of a merge request: what both branches changed, a form that resolves it, and the commands to type."""

from shlex import quote

from starlette.responses import Response

from ingot.access.policy import READ_CODE, READ_MERGE_REQUESTS
from ingot.features.review.merge_requests import Resolution, find_by_iid, find_resolvable, resolve_conflicts
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.conflicts import MOST_FILES, Conflict, conflicts
from ingot.gitstore.errors import GitError
from ingot.kit.errors import NotFound
from ingot.web.answers import MergeRequest
from ingot.web.call import PageCall, View
from ingot.web.conflict_forms import choices, file_forms
from ingot.web.guards import InProject
from ingot.web.pages.merge_requests import load_request, request_view
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)


@pages.get("merge_requests/{iid:int}/conflicts", guard=REQUESTS)
def show_conflicts(call: PageCall) -> View:
    """The files that both branches change in different ways, with a form and the commands that resolve it."""
    return _conflict_view(call)


@pages.post("merge_requests/{iid:int}/conflicts", guard=REQUESTS)
def resolve(call: PageCall) -> View | Response:
    """Commit what was chosen of each file to the source branch."""
    READ_CODE.require(call.actor, call.project)
    row = find_by_iid(call.conn, call.project.id, int(call.path["iid"]))
    if row is None:
        raise NotFound

    def work() -> None:
        resolution = Resolution(text(call, "head"), text(call, "target"), dict(choices(call)))
        resolve_conflicts(call.services, call.conn, row, call.actor, resolution)

    view = refused(work, lambda problem, status: _conflict_view(call, problem, status))
    return view or done(call, f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}", "Conflicts resolved.")


def _conflict_view(call: PageCall, problem: str = "", status: int = 200) -> View:
    READ_CODE.require(call.actor, call.project)
    request = load_request(call)
    found, target = _conflicts(call, request)
    source_branch, target_branch = request["source_branch"], request["target_branch"]
    row = find_by_iid(call.conn, call.project.id, request["iid"])
    view = request_view(
        call, request, "conflicts", found=found, target_sha=target, problem=problem, commands=_commands(call, request),
        can_resolve=bool(found) and row is not None and find_resolvable(call.conn, row, call.actor) is not None,
        forms=file_forms(call, found or [], f"{request['sha']} {target}", source_branch, target_branch),
        is_refused=bool(problem), most_files=MOST_FILES,
    )  # fmt: skip
    return View(view.template, view.data, status)


def _commands(call: PageCall, request: MergeRequest) -> str:
    """What resolves the conflicts on one's own machine; from a fork, the target is fetched by its address."""
    source, target = quote(request["source_branch"]), quote(request["target_branch"])
    if request["source_project_id"] == request["target_project_id"]:
        fetch, merged = "git fetch origin", quote(f"origin/{request['target_branch']}")
    else:
        fetch, merged = f"git fetch {quote(f'{call.base_url}/{call.project.full_path}.git')} {target}", "FETCH_HEAD"
    return "\n".join(
        (fetch, f"git switch {source}", f"git merge {merged}", "# edit the files below, then",
         "git commit --all --no-edit", "git push")
    )  # fmt: skip


def _conflicts(call: PageCall, request: MergeRequest) -> tuple[list[Conflict] | None, str]:
    """None where one of the branches is gone; and the head of the target branch."""
    target = call.ask_or_none("/projects/:id/repository/branches/:branch", branch=request["target_branch"])
    if target is None or request["sha"] is None or request["state"] != "opened":
        return None, ""
    sha = str(target["commit"]["id"])
    try:
        return conflicts(repository_of(call.services, call.project), request["sha"], sha), sha
    except GitError:
        return None, sha
