"""Links between issues: a form that takes `#5` or `group/project#5`."""

from starlette.responses import Response

from ingot.access.policy import READ_ISSUES
from ingot.kit.errors import Unprocessable
from ingot.kit.patterns import pattern
from ingot.web.call import PageCall
from ingot.web.guards import InProject
from ingot.web.registry import Pages
from ingot.web.sending import done, text

pages = Pages("project")
ISSUES = InProject(READ_ISSUES)
LINKS = "/projects/:id/issues/:issue_iid/links"
_REFERENCE = pattern(r"([A-Za-z0-9._/-]*)#?([0-9]{1,9})")
UNKNOWN = "Name the other issue by its number (#5), or by project and number (group/project#5)."


@pages.post("issues/{iid:int}/links", guard=ISSUES)
def link_issue(call: PageCall) -> Response:
    """Link the issue with another."""
    match = _REFERENCE.fullmatch(text(call, "other"))
    if match is None:
        raise Unprocessable(UNKNOWN)
    call.ask(
        LINKS, "POST", issue_iid=call.path["iid"], target_project_id=match[1] or call.project.id,
        target_issue_iid=match[2], link_type=text(call, "link_type") or None,
    )  # fmt: skip
    return _back(call, "Issues linked.")


@pages.post("issues/{iid:int}/links/{link:int}/remove", guard=ISSUES)
def unlink_issue(call: PageCall) -> Response:
    """Remove a link."""
    call.ask(f"{LINKS}/:issue_link_id", "DELETE", issue_iid=call.path["iid"], issue_link_id=call.path["link"])
    return _back(call, "Link removed.")


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/issues/{call.path['iid']}#links", words)
