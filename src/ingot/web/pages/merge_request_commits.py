"""The commits of a merge request, and older ones that help to understand them."""

import msgspec
from starlette.responses import Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.web.call import PageCall, View
from ingot.web.guards import InProject
from ingot.web.list_facts import commit_pipelines, commit_signatures
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.merge_requests import REQUESTS, load_request, request_view
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("project")
WRITERS = InProject(READ_MERGE_REQUESTS, needs_user=True)
CONTEXT = f"{REQUEST}/context_commits"


@pages.get("merge_requests/{iid:int}/commits", guard=REQUESTS)
def list_request_commits(call: PageCall) -> View:
    """The commits of a request."""
    return _view(call)


@pages.post("merge_requests/{iid:int}/context_commits", guard=WRITERS)
def add_context_commits(call: PageCall) -> View | Response:
    """Show older commits beside those of the request."""
    ids = text(call, "commits").replace(",", " ").split()
    view = refused(
        lambda: call.ask(CONTEXT, "POST", merge_request_iid=call.path["iid"], commits=ids),
        lambda problem, status: _view(call, problem, status),
    )
    return view or _back(call, "Commits added." if len(ids) > 1 else "Commit added.")


@pages.post("merge_requests/{iid:int}/context_commits/remove", guard=WRITERS)
def remove_context_commit(call: PageCall) -> View | Response:
    """Show an older commit no longer."""
    view = refused(
        lambda: call.ask(CONTEXT, "DELETE", merge_request_iid=call.path["iid"], commits=[text(call, "sha")]),
        lambda problem, status: _view(call, problem, status),
    )
    return view or _back(call, "Commit removed.")


def _view(call: PageCall, problem: str = "", status: int = 200) -> View:
    iid = call.path["iid"]
    rows = call.ask_rows(f"{REQUEST}/commits", merge_request_iid=iid, per_page="50")
    view = request_view(
        call, load_request(call), "commits", rows.total, rows=rows, pipelines=commit_pipelines(call, rows.items),
        signatures=commit_signatures(call, rows.items), problem=problem, typed=text(call, "commits"),
        context=call.ask_or_none(CONTEXT, merge_request_iid=iid, per_page="100") or [],
        can_add=call.session is not None and call.may("PUT", REQUEST, merge_request_iid=iid),
    )  # fmt: skip
    return msgspec.structs.replace(view, status=status)


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}/commits#context", words)
