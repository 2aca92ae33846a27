"""Merge requests: the form that edits one, and ticking the tasks of its description."""

from typing import Any

from starlette.responses import Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.issuable_fields import field_values, offered_fields, sent_fields
from ingot.web.merge_steps import REQUEST
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text
from ingot.web.task_lists import ticked

pages = Pages("project")
WRITERS = InProject(READ_MERGE_REQUESTS, needs_user=True)


@pages.get("merge_requests/{iid:int}/edit", guard=WRITERS)
def show_edit_request(call: PageCall) -> View:
    """The form of an existing request."""
    view = _form(call)
    call.require("PUT", REQUEST, merge_request_iid=call.path["iid"])
    return view


@pages.post("merge_requests/{iid:int}/edit", guard=WRITERS)
def edit_request(call: PageCall) -> View | Response:
    """Change what the form holds."""
    iid = call.path["iid"]

    def edit() -> None:
        fields = sent_fields(call, dates=False)
        target = text(call, "target_branch")
        if target and target != call.ask(REQUEST, merge_request_iid=iid)["target_branch"]:
            fields["target_branch"] = target
        call.ask(
            REQUEST, "PUT", merge_request_iid=iid, **fields, squash="squash" in call.values,
            remove_source_branch="remove_source_branch" in call.values, **_merge_time(call), **_collaboration(call),
        )  # fmt: skip

    return refused(edit, lambda problem, status: _form(call, problem, status)) or _back(call, "Merge request saved.")


@pages.post("merge_requests/{iid:int}/task", guard=WRITERS)
def tick_task(call: PageCall) -> Response:
    """Tick a box of the description, or take the tick away."""
    iid = call.path["iid"]
    request = call.ask(REQUEST, merge_request_iid=iid)
    call.ask(REQUEST, "PUT", merge_request_iid=iid, description=ticked(call, request["description"]))
    return _back(call, "Task saved.")


def _collaboration(call: PageCall) -> dict[str, bool]:
    """Whether others may push to the source branch; only forms of requests from forks ask."""
    if "offers_collaboration" not in call.values:
        return {}
    return {"allow_collaboration": "allow_collaboration" in call.values}


def _merge_time(call: PageCall) -> dict[str, str]:
    """When it may be merged, in UTC; empty for at once."""
    given = call.values.get("merge_after")
    if not isinstance(given, str):
        return {}
    return {"merge_after": f"{given.strip()}Z" if given.strip() else ""}


def _form(call: PageCall, problem: str = "", status: int = 200) -> View:
    iid = call.path["iid"]
    request = call.ask(REQUEST, merge_request_iid=iid)
    values: dict[str, Any] = field_values(call, request, request["reviewers"])
    if call.request.method == "POST":
        values |= {"target_branch": text(call, "target_branch"), "squash": "squash" in call.values,
                   "remove_source_branch": "remove_source_branch" in call.values, **_collaboration(call),
                   "merge_after": text(call, "merge_after")}  # fmt: skip
    else:
        values |= {"target_branch": request["target_branch"], "squash": request["squash"],
                   "remove_source_branch": request["force_remove_source_branch"],
                   "allow_collaboration": request.get("allow_collaboration", False),
                   "merge_after": (request.get("merge_after") or "")[:16]}  # fmt: skip
    branches = call.ask_or_none("/projects/:id/repository/branches", per_page="100") or []
    return project_view(
        call, "merge_request_edit", "merge_requests", status, request=request, values=values, problem=problem,
        names=[row["name"] for row in branches], can_set=call.may("PUT", REQUEST, merge_request_iid=iid),
        can_delete=call.may("DELETE", REQUEST, merge_request_iid=iid),
        **offered_fields(call),
    )  # fmt: skip


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}", words)
