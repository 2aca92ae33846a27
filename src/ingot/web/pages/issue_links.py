"""Links between issues: a form that takes `#5` or `group/project#5`."""

from http import HTTPStatus

from starlette.responses import Response

from ingot.access.policy import READ_ISSUES
from ingot.kit.errors import ApiError, Unprocessable
from ingot.kit.patterns import pattern
from ingot.web.call import PageCall, View
from ingot.web.guards import InProject
from ingot.web.pages.side_facts import page_again
from ingot.web.refusals import about_field, refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, text
from ingot.web.side_facts import RefusedForm

pages = Pages("project")
ISSUES = InProject(READ_ISSUES)
LINKS = "/projects/:id/issues/:issue_iid/links"
_REFERENCE = pattern(r"([A-Za-z0-9._/-]*)#?([0-9]{1,9})")
UNKNOWN = "Enter an issue number (#5) or a full reference (group/project#5)."
TWICE = "These issues are already linked."
ITSELF = "An issue cannot be linked to itself."
NONE = "This issue does not exist."


@pages.post("issues/{iid:int}/links", guard=ISSUES)
def link_issue(call: PageCall) -> View | Response:
    """Link the issue with another; a refused form comes back filled."""
    try:
        _link(call)
    except ApiError as error:
        if error.status not in (HTTPStatus.NOT_FOUND, *REFUSALS):
            raise
        typed = {name: text(call, name) for name in ("other", "link_type")}
        return page_again(call, "issues", RefusedForm("link", typed, _problem(error)), error.status)
    return _back(call, "Issues linked.")


def _link(call: PageCall) -> None:
    match = _REFERENCE.fullmatch(text(call, "other"))
    if match is None:
        raise Unprocessable(UNKNOWN)
    if match[1] in ("", call.project.full_path) and int(match[2]) == int(call.path["iid"]):
        raise Unprocessable(ITSELF)
    call.ask(
        LINKS, "POST", issue_iid=call.path["iid"], target_project_id=match[1] or call.project.id,
        target_issue_iid=match[2], link_type=text(call, "link_type") or None,
    )  # fmt: skip


def _problem(error: ApiError) -> str:
    """What is wrong with the issue that was named, in our words where the API's do not say it."""
    sentence = {HTTPStatus.NOT_FOUND: NONE, HTTPStatus.CONFLICT: TWICE}.get(HTTPStatus(error.status))
    return about_field("other", sentence or refusal_of(error))


@pages.post("issues/{iid:int}/links/{link:int}/remove", guard=ISSUES)
def unlink_issue(call: PageCall) -> Response:
    """Remove a link."""
    call.ask(f"{LINKS}/:issue_link_id", "DELETE", issue_iid=call.path["iid"], issue_link_id=call.path["link"])
    return _back(call, "Link removed.")


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/issues/{call.path['iid']}#links", words)
