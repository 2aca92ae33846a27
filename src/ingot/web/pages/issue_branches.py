"""From an issue to work on it: a branch with its name, and a merge request that closes it."""

import unicodedata
from urllib.parse import quote, urlencode

from starlette.responses import Response

from ingot.access.policy import READ_ISSUES
from ingot.web.answers import Issuable
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject, can_push
from ingot.web.pages.issues import ISSUE
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text

pages = Pages("project")
WRITERS = InProject(READ_ISSUES, needs_user=True)
BRANCHES = "/projects/:id/repository/branches"
LONGEST_NAME = 100
# Names of branches and titles of requests are for all who see the code.
SECRET = "confidential issue"


@pages.get("issues/{iid:int}/branch", guard=WRITERS)
def show_branch_form(call: PageCall) -> View:
    """The form that asks where the branch begins."""
    return _form(call)


@pages.post("issues/{iid:int}/branch", guard=WRITERS)
def create_branch(call: PageCall) -> View | Response:
    """Make the branch; then show it, or the form of its merge request."""
    issue: Issuable = call.ask(ISSUE, issue_iid=call.path["iid"])
    name, ref = text(call, "branch"), text(call, "ref")
    view = refused(
        lambda: call.ask(BRANCHES, "POST", branch=name, ref=ref),
        lambda problem, status: _form(call, problem, status),
    )
    if view is not None:
        return view
    if "request" in call.values:
        return done(call, _request_address(call, issue, name, ref), "Branch created.")
    return done(call, f"/{call.project.full_path}/-/tree/{quote(name, safe='/')}", "Branch created.")


def _request_address(call: PageCall, issue: Issuable, name: str, ref: str) -> str:
    """The form of a merge request that closes the issue; it goes to where the branch comes from, if that is one."""
    title = SECRET if issue["confidential"] else f'"{issue["title"]}"'
    fields = {"source_branch": name, "title": f"Draft: Resolve {title}"[:255], "description": f"Closes #{issue['iid']}"}
    if call.ask_or_none(f"{BRANCHES}/:branch", branch=ref) is not None:
        fields["target_branch"] = ref
    query = urlencode({f"merge_request[{key}]": value for key, value in fields.items()})
    return f"/{call.project.full_path}/-/merge_requests/new?{query}"


def branch_name(issue: Issuable, template: str) -> str:
    """Number and title of the issue, or what the project's template makes of them, as part of an address."""
    title = _as_part(SECRET if issue["confidential"] else issue["title"])
    number = str(issue["iid"])
    name = template.replace("%{id}", number).replace("%{title}", title) if template else f"{number}-{title}"
    if len(name) > LONGEST_NAME:
        name = name[:LONGEST_NAME].rpartition("-")[0] or name[:LONGEST_NAME]
    return name.strip("-")


def _as_part(words: str) -> str:
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return "-".join("".join(sign if sign.isalnum() or sign == "_" else " " for sign in plain).split())


def _form(call: PageCall, problem: str = "", status: int = 200) -> View:
    issue: Issuable = call.ask(ISSUE, issue_iid=call.path["iid"])
    project = call.ask("/projects/:id")
    rows = call.ask_or_none(BRANCHES, per_page="100", sort="updated_desc") or []
    name = text(call, "branch") or branch_name(issue, str(project.get("issue_branch_template") or ""))
    return project_view(
        call, "issue_branch", "issues", status, issue=issue, problem=problem, names=[row["name"] for row in rows],
        name=name, ref=text(call, "ref") or project["default_branch"],
        can_begin=can_push(call), can_request=call.may("POST", "/projects/:id/merge_requests"),
    )  # fmt: skip
