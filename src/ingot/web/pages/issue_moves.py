"""Issues that go elsewhere, and several that are changed at once."""

from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_ISSUES
from ingot.kit import wire
from ingot.kit.errors import ApiError, Unprocessable
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.issuable_fields import NOBODY, ids_of
from ingot.web.pages.issues import ISSUE, list_view
from ingot.web.registry import Pages
from ingot.web.rendering import sentence_of
from ingot.web.sending import refused, text

pages = Pages("project")
ISSUES = InProject(READ_ISSUES, needs_user=True)
MOST = 100  # at once: each is a call of its own
TOLD = (400, 403, 404, 409, 422)  # of one issue; the others are changed all the same
UNKNOWN = "There is no such project, or it is not for you to see."
NONE_CHOSEN = "Tick the issues that you want to change."
NOTHING_SAID = "Say what should change."


@pages.get("issues/{iid:int}/move", guard=ISSUES)
def show_move(call: PageCall) -> View:
    """The form that asks for the other project."""
    return _move_form(call)


@pages.post("issues/{iid:int}/move", guard=ISSUES)
def move_issue(call: PageCall) -> View | Response:
    """Move the issue to another project and go there."""
    moved: dict[str, str] = {}

    def move() -> None:
        project = call.ask_or_none("/projects/:id", id=text(call, "project")) if text(call, "project") else None
        if project is None:
            raise Unprocessable(UNKNOWN)
        moved.update(call.ask(f"{ISSUE}/move", "POST", issue_iid=call.path["iid"], to_project_id=project["id"]))

    view = refused(move, lambda problem, status: _move_form(call, problem, status))
    return view or RedirectResponse(urlsplit(moved["web_url"]).path, 303)


@pages.post("issues/edit_many", guard=ISSUES)
def edit_many(call: PageCall) -> View | Response:
    """Change all ticked issues alike; the list comes back with what was refused, row by row."""
    iids, query = _ticked(call), text(call, "query")
    failures: dict[str, str] = {}

    def edit() -> None:
        changes = _changes(call)
        if not iids or not changes:
            raise Unprocessable(NOTHING_SAID if iids else NONE_CHOSEN)
        for iid in iids[:MOST]:
            try:
                call.ask(ISSUE, "PUT", issue_iid=iid, **changes)
            except ApiError as error:
                if error.status not in TOLD:
                    raise
                failures[iid] = sentence_of(error)

    view = refused(edit, lambda problem, status: _list_again(call, query, status, problem=problem, ticked=iids))
    if view is not None or failures:
        return view or _list_again(call, query, 422, failures=failures, ticked=list(failures))
    return RedirectResponse(f"/{call.project.full_path}/-/issues{'?' if query else ''}{query}", 303)


def _ticked(call: PageCall) -> list[str]:
    given = call.values.get("iids", [])
    return [iid for iid in (given if isinstance(given, list) else [given]) if isinstance(iid, str) and iid.isdecimal()]


def _changes(call: PageCall) -> dict[str, object]:
    """What the form says; fields that were left empty say nothing."""
    names = ("state_event", "add_labels", "remove_labels", "milestone_id")
    changes: dict[str, object] = {name: text(call, name) for name in names if text(call, name)}
    people = text(call, "assignees")
    if people:
        changes["assignee_ids"] = [NOBODY] if people == NOBODY else ids_of(call, people)
    return changes


def _list_again(call: PageCall, query: str, status: int, **told: object) -> View:
    sent = call.values
    call.values = dict(wire.form_values(query.encode())) if query else {}
    return list_view(call, status, sent=sent, **told)


def _move_form(call: PageCall, problem: str = "", status: int = 200) -> View:
    issue = call.ask(ISSUE, issue_iid=call.path["iid"])
    projects = call.ask_or_none("/projects", membership=True, simple=True, with_issues_enabled=True, per_page="100")
    names = [row["path_with_namespace"] for row in projects or [] if row["id"] != call.project.id]
    return project_view(
        call, "issue_move", "issues", status, issue=issue, names=names, problem=problem, chosen=text(call, "project")
    )
