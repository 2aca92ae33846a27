"""Buttons of the merge box that are one step of the API."""

from http import HTTPStatus

from starlette.responses import Response

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.features.review.merge_requests import is_developer
from ingot.kit.errors import ApiError, Forbidden, NotFound, Unprocessable
from ingot.web.call import PageCall, View
from ingot.web.guards import InProject
from ingot.web.merge_steps import REQUEST
from ingot.web.pages.merge_requests import pipelines_view
from ingot.web.pages.side_facts import page_again
from ingot.web.refusals import about_field, refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, number_in, text
from ingot.web.side_facts import RefusedForm

pages = Pages("project")
NOTHING_TO_RUN = "No pipeline was created. There is no CI configuration file, or its rules do not match merge requests."
NO_REQUEST = "This merge request does not exist."
NO_NUMBER = "Enter a merge request number (!12)."
WAITS = "This dependency already exists."
ITSELF = "A merge request cannot depend on itself."
WRITERS = InProject(READ_MERGE_REQUESTS, needs_user=True)


@pages.post("merge_requests/{iid:int}/restore_branch", guard=WRITERS)
def restore_branch(call: PageCall) -> Response:
    """Create the source branch again, where it was."""
    request = call.ask(REQUEST, merge_request_iid=call.path["iid"])
    call.ask("/projects/:id/repository/branches", "POST", branch=request["source_branch"], ref=request["sha"])
    return _back(call, "Branch restored.")


@pages.post("merge_requests/{iid:int}/ask_review", guard=WRITERS)
def ask_for_review(call: PageCall) -> Response:
    """Make somebody a reviewer, besides those who are."""
    request = call.ask(REQUEST, merge_request_iid=call.path["iid"])
    people = [str(person["id"]) for person in request["reviewers"]]
    call.ask(REQUEST, "PUT", merge_request_iid=call.path["iid"], reviewer_ids=[*people, text(call, "user_id")])
    return _back(call, "Review requested.")


@pages.post("merge_requests/{iid:int}/ask_again", guard=WRITERS)
def ask_again(call: PageCall) -> Response:
    """Ask a reviewer once more, as the quick action of a comment does."""
    request = call.ask(REQUEST, merge_request_iid=call.path["iid"])
    if not is_developer(call.actor, call.project):
        raise Forbidden
    if text(call, "username") not in [person["username"] for person in request["reviewers"]]:
        raise NotFound
    body = f"/request_review @{text(call, 'username')}"
    call.ask(f"{REQUEST}/notes", "POST", merge_request_iid=call.path["iid"], body=body)
    return _back(call, "")  # the quick action says that the review was requested


@pages.post("merge_requests/{iid:int}/block", guard=WRITERS)
def add_dependency(call: PageCall) -> View | Response:
    """Wait for another request of the project; a refused form comes back filled."""
    typed = text(call, "blocking")
    try:
        _wait_for(call, number_in(typed.removeprefix("!")))
    except ApiError as error:
        if error.status not in (HTTPStatus.NOT_FOUND, *REFUSALS):
            raise
        sentence = {HTTPStatus.NOT_FOUND: NO_REQUEST, HTTPStatus.CONFLICT: WAITS}.get(HTTPStatus(error.status))
        problem = about_field("blocking", sentence or refusal_of(error))
        return page_again(call, "merge_requests", RefusedForm("block", {"blocking": typed}, problem), error.status)
    return _back(call, "Dependency added.")


def _wait_for(call: PageCall, number: int | None) -> None:
    if number is None:
        raise Unprocessable(NO_NUMBER)
    if number == int(call.path["iid"]):
        raise Unprocessable(ITSELF)
    call.ask(f"{REQUEST}/blocks", "POST", merge_request_iid=call.path["iid"], blocking_merge_request_iid=str(number))


@pages.post("merge_requests/{iid:int}/unblock", guard=WRITERS)
def remove_dependency(call: PageCall) -> Response:
    """Wait no longer for another request."""
    call.ask(
        f"{REQUEST}/blocks/:block_id", "DELETE", merge_request_iid=call.path["iid"], block_id=text(call, "block_id")
    )
    return _back(call, "Dependency removed.")


@pages.post("merge_requests/{iid:int}/retry_check", guard=WRITERS)
def retry_check(call: PageCall) -> Response:
    """Ask an external service once more."""
    call.ask(
        f"{REQUEST}/status_checks/:external_status_check_id/retry", "POST", merge_request_iid=call.path["iid"],
        external_status_check_id=text(call, "check_id"),
    )  # fmt: skip
    return _back(call, "Check retried.")


@pages.post("merge_requests/{iid:int}/pipelines", guard=WRITERS)
def run_pipeline(call: PageCall) -> View | Response:
    """Run a pipeline for the head of the request; the list of its pipelines says why there is none to run."""
    try:
        call.ask(f"{REQUEST}/pipelines", "POST", merge_request_iid=call.path["iid"])
    except ApiError as error:
        if error.status != HTTPStatus.METHOD_NOT_ALLOWED:
            raise
        return pipelines_view(call, NOTHING_TO_RUN, 422)
    return _back(call, "Pipeline started.")


@pages.post("merge_requests/{iid:int}/merge_after", guard=WRITERS)
def forget_merge_time(call: PageCall) -> Response:
    """Allow merging at once."""
    call.ask(REQUEST, "PUT", merge_request_iid=call.path["iid"], merge_after="")
    return _back(call, "Can be merged now.")


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}", words)
