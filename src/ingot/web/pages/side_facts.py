"""Forms beside an issue or merge request: each saves one fact."""

from typing import Any

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_ISSUES, READ_MERGE_REQUESTS
from ingot.kit.errors import ApiError, NotFound
from ingot.web.answers import Issuable
from ingot.web.call import PageCall, View
from ingot.web.edited_fields import changed_fields
from ingot.web.guards import InProject
from ingot.web.issuable_fields import planned_fields
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.issues import ISSUE, show_issue
from ingot.web.pages.merge_requests import show_merge_request
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, text
from ingot.web.side_facts import WORDS, RefusedForm, fact_in, left_out, page_with, sent_fact

pages = Pages("project")


@pages.post("issues/{iid:int}/facts", guard=InProject(READ_ISSUES, needs_user=True))
def save_issue_fact(call: PageCall) -> View | Response:
    """Save one fact of an issue."""
    return _save(call, "issues")


@pages.post("merge_requests/{iid:int}/facts", guard=InProject(READ_MERGE_REQUESTS, needs_user=True))
def save_request_fact(call: PageCall) -> View | Response:
    """Save one fact of a merge request."""
    return _save(call, "merge_requests")


@pages.get("issues/{iid:int}/facts", guard=InProject(READ_ISSUES))
@pages.get("merge_requests/{iid:int}/facts", guard=InProject(READ_MERGE_REQUESTS))
@pages.get("issues/{iid:int}/time", guard=InProject(READ_ISSUES))
@pages.get("merge_requests/{iid:int}/time", guard=InProject(READ_MERGE_REQUESTS))
@pages.get("issues/{iid:int}/links", guard=InProject(READ_ISSUES))
@pages.get("merge_requests/{iid:int}/block", guard=InProject(READ_MERGE_REQUESTS))
@pages.get("issues/{iid:int}/comment", guard=InProject(READ_ISSUES))
@pages.get("merge_requests/{iid:int}/comment", guard=InProject(READ_MERGE_REQUESTS))
def show_facts(call: PageCall) -> Response:
    """They stand on the page of the issue or merge request; the address is that of a form that was refused."""
    return RedirectResponse(call.request.url.path.rpartition("/")[0], 302)


@pages.get("issues/{iid:int}/reply/{discussion}", guard=InProject(READ_ISSUES))
@pages.get("merge_requests/{iid:int}/reply/{discussion}", guard=InProject(READ_MERGE_REQUESTS))
def show_thread(call: PageCall) -> Response:
    """It stands in the discussion; the address is that of an answer that was refused."""
    address = call.request.url.path.rpartition("/reply/")[0]
    return RedirectResponse(f"{address}#discussion_{call.path['discussion']}", 302)


def _save(call: PageCall, kind: str) -> View | Response:
    fact, is_issue = sent_fact(call), kind == "issues"
    if not fact:
        raise NotFound
    address, number = (ISSUE, "issue_iid") if is_issue else (REQUEST, "merge_request_iid")
    one = {number: call.path["iid"]}
    call.require("PUT", address, **one)
    record = call.ask(address, **one)
    try:
        fields = _changed(call, record, fact, dates=is_issue)
        problem = left_out(call, fact, call.ask(address, "PUT", **one, **fields)) if fields else ""
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return page_again(call, kind, RefusedForm(fact, {fact: text(call, fact)}, refusal_of(error)), error.status)
    if problem:
        return page_again(call, kind, RefusedForm(fact, {fact: text(call, fact)}, problem), 422)
    return done(call, f"/{call.project.full_path}/-/{kind}/{call.path['iid']}", f"{WORDS[fact]} saved.")


def _changed(call: PageCall, record: Issuable, fact: str, *, dates: bool) -> dict[str, Any]:
    """The fact as the API takes it; nothing where the form came back as it was drawn."""
    weight = {"weight": text(call, "weight")} if fact == "weight" else {}
    sent = {**planned_fields(call, dates=dates), **weight}
    return changed_fields(call, sent, {fact: text(call, fact)}, {fact: fact_in(record, fact)})


def page_again(call: PageCall, kind: str, refused: RefusedForm, status: int) -> View:
    """The page, with the form open as it was filled."""
    return page_with(call, show_issue if kind == "issues" else show_merge_request, refused, status)
