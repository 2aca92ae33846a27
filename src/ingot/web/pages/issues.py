"""Issues: the list, one issue with its threads, and the forms that change it."""

from functools import partial
from typing import Any

import msgspec
from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_ISSUES
from ingot.access.subjects import Project
from ingot.features.planning.issues import issue_label_details, may_admin_issues
from ingot.features.planning.notes import reads_internal
from ingot.web.answers import Issuable
from ingot.web.call import PageCall, View
from ingot.web.commenting import may_attach, may_talk
from ingot.web.edited_fields import changed_fields, filled_form
from ingot.web.frames import framed_project, project_view
from ingot.web.guards import InProject, can_push
from ingot.web.issuable_fields import (
    field_values,
    may_track_time,
    offered_fields,
    sent_fields,
    shown_values,
    typed_values,
)
from ingot.web.list_filters import ISSUE_FILTERS, ISSUE_TYPES, asked, chosen_filters, filter_facts
from ingot.web.markdown import markdown
from ingot.web.reactions import reactions_to
from ingot.web.registry import Pages
from ingot.web.sending import STATE_DONE, done, refused, text, texts
from ingot.web.side_facts import TIER_OF_WEIGHTS, side_choices
from ingot.web.talk_view import chosen_kind, quote_of, shown_threads
from ingot.web.task_lists import tickable, ticked, version_of
from ingot.web.threads import discussions, resolution_words, threads_query
from ingot.web.written_comments import Written, comment, talk_again, written

pages = Pages("project")
ISSUES = InProject(READ_ISSUES)
ALL = "/projects/:id/issues"
ISSUE = f"{ALL}/:issue_iid"
STATES = ("opened", "closed", "all")
TEMPLATES = "/projects/:id/templates/issues"
# Of a new issue: the merge request whose open threads it settles, or one of these threads.
SETTLES = ("merge_request_to_resolve_discussions_of", "discussion_to_resolve")


@pages.get("issues", guard=ISSUES)
def list_issues(call: PageCall) -> View:
    """The project's issues with the API's filters."""
    filters = chosen_filters(call, ISSUE_FILTERS)
    state = str(call.values.get("state", "opened"))
    state = state if state in STATES else "opened"
    rows = call.ask_rows("/projects/:id/issues", state=state, with_labels_details=True, **asked(filters))
    counts = call.ask("/projects/:id/issues_statistics", **asked(filters))["statistics"]["counts"]
    return project_view(
        call, "issues", "issues", rows=rows, counts=counts, can_create=call.may("POST", "/projects/:id/issues"),
        can_set=may_plan(call) and call.session is not None,
        **filter_facts(state, filters, ISSUE_FILTERS),
    )  # fmt: skip


def may_plan(call: PageCall) -> bool:
    """Who may make labels may give them, and move issues to other projects."""
    return may_plan_in(call, call.project)


def may_plan_in(call: PageCall, project: Project) -> bool:
    """As `may_plan`, in any project."""
    return call.may_in(project, "POST", "/projects/:id/labels")


@pages.get("issues/new", guard=ISSUES)
def show_new_issue(call: PageCall) -> View:
    """The form of a new issue."""
    call.require("POST", ALL)
    return _form(call, None)


@pages.post("issues/new", guard=ISSUES)
def choose_template(call: PageCall) -> View:
    """The form as it was filled, with the text of another template; a text of one's own stays below it."""
    chosen = _template(call, name) if (name := text(call, "template")) else ""
    own = text(call, "description").removeprefix(text(call, "offered")).strip()
    return _form(call, None, description="\n\n".join(filter(None, (chosen.strip(), own))), offered=chosen)


@pages.post("issues", guard=ISSUES)
def create_issue(call: PageCall) -> View | Response:
    """Open an issue; a refused form is shown again with its values."""
    created: dict[str, int] = {}

    def create() -> None:
        fields = _sent(call)
        created.update(call.ask(ALL, "POST", **fields))

    view = refused(create, lambda problem, status: _form(call, None, problem, status))
    return view or done(call, f"/{call.project.full_path}/-/issues/{created['iid']}", "Issue created.")


@pages.get("issues/{iid:int}", guard=ISSUES)
def show_issue(call: PageCall) -> View:
    """One issue."""
    iid = call.path["iid"]
    issue = call.ask(ISSUE, issue_iid=iid)
    issue["labels"] = msgspec.to_builtins(issue_label_details(call.conn, issue["id"]))
    talk = discussions(call, ISSUE, issue["author"]["id"], ("Issue", issue["id"]), issue_iid=iid)
    threads, kind = talk.threads if talk is not None else None, chosen_kind(call)
    html, can_edit = markdown(call, issue["description"]), call.may("PUT", ISSUE, issue_iid=iid)
    return project_view(
        call, "issue", "issues", issue=issue, seen=version_of(issue["description"]), talk=talk,
        html=tickable(html, issue["description"]) if can_edit and call.session else html,
        threads=threads, kind=kind, shown_threads=shown_threads(threads or [], kind), can_quote=True,
        quote=quote_of(call, threads or []), reads_internal=reads_internal(call.actor, call.project),
        can_track=may_track_time(call, "Issue"), can_attach=may_attach(call),
        reactions=talk.reactions if talk else reactions_to(call, "Issue", [issue["id"]]).get(issue["id"]),
        links=call.ask_or_none(f"{ISSUE}/links", issue_iid=iid, per_page="100") or [],
        related=call.ask_or_none(f"{ISSUE}/related_merge_requests", issue_iid=iid) or [],
        closing={row["id"] for row in call.ask_or_none(f"{ISSUE}/closed_by", issue_iid=iid) or []},
        can_comment=call.may("POST", f"{ISSUE}/notes", issue_iid=iid) and may_talk(call, "Issue", issue),
        can_edit=can_edit, can_copy=may_plan(call), can_branch=issue["state"] == "opened" and can_push(call),
        **side_choices(call, can_plan=may_admin_issues(call.actor, call.project)),
    )  # fmt: skip


@pages.get("work_items/{iid:int}", guard=ISSUES)
def redirect_to_issue(call: PageCall) -> Response:
    """The newer name of the same page."""
    return RedirectResponse(f"/{call.project.full_path}/-/issues/{call.path['iid']}", 302)


@pages.get("issues/{iid:int}/edit", guard=ISSUES)
def show_edit_issue(call: PageCall) -> View:
    """The form of an existing issue."""
    issue = call.ask(ISSUE, issue_iid=call.path["iid"])
    call.require("PUT", ISSUE, issue_iid=call.path["iid"])
    return _form(call, issue)


@pages.post("issues/{iid:int}/edit", guard=ISSUES)
def edit_issue(call: PageCall) -> View | Response:
    """Change what the form holds."""
    iid = call.path["iid"]
    call.require("PUT", ISSUE, issue_iid=iid)
    issue = call.ask(ISSUE, issue_iid=iid)

    def edit() -> None:
        fields = changed_fields(call, _sent(call), _typed(call), _shown(issue))
        if fields:
            call.ask(ISSUE, "PUT", issue_iid=iid, **fields)

    return refused(edit, partial(_form, call, issue)) or _back(call, "Issue saved.")


@pages.post("issues/{iid:int}/task", guard=ISSUES)
def tick_task(call: PageCall) -> Response:
    """Tick a box of the description, or take the tick away."""
    issue = call.ask(ISSUE, issue_iid=call.path["iid"])
    call.ask(ISSUE, "PUT", issue_iid=call.path["iid"], description=ticked(call, issue["description"]))
    return _back(call, "Task saved.")


@pages.post("issues/{iid:int}/comment", guard=ISSUES)
def comment_on_issue(call: PageCall) -> View | Response:
    """Comment or start a thread; close or reopen if that button was used.

    A text of quick actions of which none can be applied stays in its form.
    """
    iid, body = call.path["iid"], str(call.values.get("body", ""))
    event = call.values.get("state_event")
    new = comment(call, ISSUE, body, issue_iid=iid) if body.strip() or not event else Written()
    if new.problem:
        return talk_again(call, show_issue, new.problem)
    if event:
        call.ask(ISSUE, "PUT", issue_iid=iid, state_event=event)
    state = STATE_DONE.get(str(event), "").format("Issue")
    return _back(call, new.words("Comment added.", state), new.fragment)


@pages.post("issues/{iid:int}/reply/{discussion}", guard=ISSUES)
def reply_on_issue(call: PageCall) -> View | Response:
    """Answer in a thread."""
    thread_id = call.path["discussion"]
    new = written(call.ask(
        f"{ISSUE}/discussions/:discussion_id/notes", "POST", issue_iid=call.path["iid"],
        discussion_id=thread_id, body=call.values.get("body", ""),
    ))  # fmt: skip
    if new.problem:
        return talk_again(call, show_issue, new.problem, thread_id)
    return _back(call, new.words("Reply added."), new.fragment)


@pages.post("issues/{iid:int}/resolve/{discussion}", guard=ISSUES)
def resolve_thread(call: PageCall) -> Response:
    """Resolve a thread, or open it again."""
    call.ask(
        f"{ISSUE}/discussions/:discussion_id", "PUT", issue_iid=call.path["iid"],
        discussion_id=call.path["discussion"], resolved=call.values.get("resolved", "true"),
    )  # fmt: skip
    return _back(call, resolution_words(call), f"#discussion_{call.path['discussion']}")


def _sent(call: PageCall) -> dict[str, object]:
    weight = {"weight": text(call, "weight")} if "weight" in call.values else {}
    kind = {"issue_type": text(call, "issue_type")} if text(call, "issue_type") else {}
    settled = {name: text(call, name) for name in SETTLES if text(call, name) and "iid" not in call.path}
    return {**sent_fields(call, dates=True), "confidential": "confidential" in call.values, **weight, **kind, **settled}


def _types(now: str) -> list[tuple[str, str]]:
    """The kinds that can be chosen, and the one of now."""
    return [(name, name.replace("_", " ").capitalize()) for name in dict.fromkeys((*ISSUE_TYPES, now))]


def _offered_texts(
    call: PageCall, issue: Issuable | None, values: dict[str, object], fresh: dict[str, str]
) -> dict[str, object]:
    """The templates of a new issue; the form begins with the project's own text."""
    if issue is not None:
        return {"templates": []}
    names = [row["name"] for row in call.ask_or_none(TEMPLATES, per_page="100") or []]
    values |= {"offered": text(call, "offered"), "template": text(call, "template"), **fresh}
    if call.is_read and not values["description"]:
        wanted = text(call, "template") or next((name for name in names if name.lower() == "default"), "")
        values |= {"template": wanted, "description": (begun := _template(call, wanted)), "offered": begun}
    return {"templates": names}


def _template(call: PageCall, name: str) -> str:
    """The text of a template; without one, that of the project's settings."""
    if name:
        template = call.ask_or_none(f"{TEMPLATES}/:name", name=name)
        return str(template["content"]) if template else ""
    return str(framed_project(call).get("issues_template") or "")


def _shown(issue: Issuable) -> dict[str, Any]:
    """What the form of an existing issue shows."""
    weight = issue.get("weight")
    return {
        **shown_values(issue), "weight": "" if weight is None else weight,
        "confidential": bool(issue.get("confidential")), "issue_type": issue.get("issue_type") or ISSUE_TYPES[0],
    }  # fmt: skip


def _typed(call: PageCall) -> dict[str, Any]:
    """The same as it was sent."""
    texts = {name: text(call, name) for name in ("weight", "issue_type") if name in call.values}
    return typed_values(call) | texts | {"confidential": "confidential" in call.values}


def _filled(call: PageCall, issue: Issuable | None) -> dict[str, Any]:
    """What the form shows, and for an existing issue how others have changed it meanwhile."""
    is_sent = call.request.method == "POST"
    if issue is not None:
        return filled_form(call, _typed(call) if is_sent else {}, _shown(issue))
    values = {"weight": "", "issue_type": ISSUE_TYPES[0], **field_values(call), **(_typed(call) if is_sent else {})}
    given = call.values.get("issue")
    if isinstance(given, dict) and call.is_read:
        values |= {name: given[name] for name in ("title", "description") if isinstance(given.get(name), str)}
    return {"values": values}


def _form(call: PageCall, issue: Issuable | None, problem: str = "", status: int = 200, **fresh: str) -> View:
    """The form of an issue; `fresh` are fields that do not stay as they were sent."""
    can_set = call.may("PUT", ISSUE, issue_iid=issue["iid"]) if issue else may_plan(call)
    filled = _filled(call, issue)
    return project_view(
        call, "issue_form", "issues", status, problem=problem, issue=issue, can_set=can_set, **filled,
        weighs=call.services.settings.has_tier(TIER_OF_WEIGHTS), types=_types(filled["values"]["issue_type"]),
        settles=texts(call, SETTLES), **_offered_texts(call, issue, filled["values"], fresh),
        can_delete=issue is not None and call.may("DELETE", ISSUE, issue_iid=issue["iid"]), **offered_fields(call),
    )  # fmt: skip


def _back(call: PageCall, words: str, fragment: str = "") -> Response:
    address = f"/{call.project.full_path}/-/issues/{call.path['iid']}{threads_query(call)}{fragment}"
    return done(call, address, words)
