"""Opening merge requests: a form with a text from the commit or a template, and what would be merged."""

import msgspec
from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_CODE, READ_MERGE_REQUESTS
from ingot.access.subjects import Project, find_project
from ingot.features.review.merge_requests import is_developer
from ingot.kit.errors import ApiError
from ingot.web.answers import Comparison
from ingot.web.call import PageCall, View
from ingot.web.filters import local
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.issuable_fields import offered_fields, sent_fields
from ingot.web.plain_changes import plain_changes
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, text

pages = Pages("project")
REQUESTS = InProject(READ_MERGE_REQUESTS)
WRITERS = InProject(READ_MERGE_REQUESTS, needs_user=True)
ALL = "/projects/:id/merge_requests"
TEMPLATES = "/projects/:id/templates/merge_requests"
BRANCHES = ("source_branch", "target_branch")
FIELDS = (*BRANCHES, "target_project_id", "title", "description", "template")
OTHERS = ("assignees", "reviewers", "labels", "milestone_id")
DEFAULT_TEMPLATE = "default"
# What the form offered, and the branches that it compared.
HIDDEN = ("offered", "offered_title", "compared")
OTHER_BRANCHES = (
    "The branches changed. Review the commits and changes below. The merge request has not been created yet."
)


class Ends(msgspec.Struct, frozen=True):
    """What is to be merged into what."""

    source: str
    target: str
    project: Project  # of the target: the project, or the one that it is a fork of


@pages.get("merge_requests/new", guard=WRITERS)
def show_new_request(call: PageCall) -> View | Response:
    """The form of a new request; git prints this address after a push. One that is open already is shown instead."""
    given = _given(call)
    ends = _ends(call, given)
    open_request = _open_request(call, ends)
    if open_request:
        return RedirectResponse(open_request, 302)
    compared = _compared(call, ends)
    names = _template_names(call, ends)
    wanted = given["template"] or next((name for name in names if name.lower() == DEFAULT_TEMPLATE), "")
    title, description = _texts(ends, compared)
    values = {
        **dict.fromkeys(OTHERS, ""), "source_branch": ends.source, "target_branch": ends.target,
        "target_project_id": str(ends.project.id), "title": given["title"] or title, "template": wanted,
        "description": given["description"] or _template(call, ends, wanted) or description,
    }  # fmt: skip
    values["offered"] = "" if given["description"] else values["description"]
    values["offered_title"] = "" if given["title"] else values["title"]
    return _form(call, ends, values, templates=names, **_changes(call, ends, compared))


@pages.post("merge_requests/new", guard=REQUESTS)
def fill_again(call: PageCall) -> View:
    """The form as it was filled, for other branches or with the text of another template."""
    return _compare_again(call) if "compare" in call.values else _choose_template(call)


def _compare_again(call: PageCall, notice: str = "") -> View:
    """What would be merged of other branches. What was typed stays; what was only offered is offered anew."""
    values = _sent(call)
    ends = _ends(call, values)
    compared, names = _compared(call, ends), _template_names(call, ends)
    title, description = _texts(ends, compared)
    if values["title"] in ("", values["offered_title"]):
        values |= {"title": title, "offered_title": title}
    if values["description"] in ("", values["offered"].strip()):
        fresh = _template(call, ends, values["template"] if values["template"] in names else "") or description
        values |= {"description": fresh, "offered": fresh}
    return _form(
        call, ends, values, templates=names, sent=call.values, notice=notice,
        open_request=_open_request(call, ends), **_changes(call, ends, compared),
    )  # fmt: skip


def _choose_template(call: PageCall) -> View:
    """The text of another template; a text of one's own stays below it."""
    values = _sent(call)
    ends = _ends(call, values)
    chosen = _template(call, ends, values["template"]) if values["template"] else ""
    own = values["description"].removeprefix(values["offered"]).strip()
    values |= {"description": "\n\n".join(part for part in (chosen.strip(), own) if part), "offered": chosen}
    shown = _changes(call, ends, _compared(call, ends))
    return _form(call, ends, values, templates=_template_names(call, ends), sent=call.values, **shown)


@pages.post("merge_requests", guard=REQUESTS)
def create_request(call: PageCall) -> View | Response:
    """Open a request; a refused form is shown again with its values."""
    given = _sent(call)
    if given["compared"] not in ("", _ends_in_words(_ends(call, given))):
        return _compare_again(call, OTHER_BRANCHES)
    try:
        fields = {**sent_fields(call, dates=False), **{name: given[name] for name in BRANCHES}}
        title = str(fields["title"])
        if "draft" in call.values and title and not title.startswith("Draft:"):
            fields["title"] = f"Draft: {title}"
        for name in ("squash", "remove_source_branch"):
            fields[name] = name in call.values
        request = call.ask(ALL, "POST", target_project_id=given["target_project_id"] or None, **fields)
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        ends = _ends(call, given)
        return _form(
            call, ends, given, error.status, templates=_template_names(call, ends), problem=refusal_of(error),
            sent=call.values, open_request=_open_request(call, ends),
        )  # fmt: skip
    return done(call, local(request["web_url"]), "Merge request created.")


def _given(call: PageCall) -> dict[str, str]:
    """What the address says: `merge_request[source_branch]` and so on, and the name of a template."""
    asked = call.values.get("merge_request")
    fields = asked if isinstance(asked, dict) else {}
    given = {name: str(fields.get(name) or "").strip() for name in FIELDS}
    return {**given, "template": text(call, "template")}


def _sent(call: PageCall) -> dict[str, str]:
    """What the form of the request says."""
    return {name: text(call, name).replace("\r\n", "\n") for name in (*FIELDS, *OTHERS, *HIDDEN)}


def _ends(call: PageCall, given: dict[str, str]) -> Ends:
    """The branches; those of a fork go to the project that it is a fork of, unless the address names another."""
    project = call.ask("/projects/:id")
    parent = project.get("forked_from_project")
    is_own = parent is None or given["target_project_id"] == str(project["id"])
    above = None if is_own else find_project(call.conn, call.actor, parent["id"])
    branch = (project if above is None else parent).get("default_branch")
    return Ends(given["source_branch"], given["target_branch"] or branch or "", above or call.project)


def _ends_in_words(ends: Ends) -> str:
    """By which the form tells whether its branches are still those that it shows."""
    return f"{ends.source}...{ends.project.id}:{ends.target}"


def _of_target(call: PageCall, ends: Ends) -> dict[str, object]:
    """Where the API is to look for what belongs to the target."""
    return {} if ends.project.id == call.project.id else {"id": ends.project.id}


def _open_request(call: PageCall, ends: Ends) -> str:
    """The address of the open request for the same branches; empty where there is none."""
    if not ends.source or not ends.target:
        return ""
    rows = call.ask_or_none(
        ALL, id=ends.project.id, state="opened", scope="all", source_branch=ends.source, target_branch=ends.target,
        source_project_id=call.project.id, per_page="1",
    )  # fmt: skip
    return local(rows[0]["web_url"]) if rows else ""


def _compared(call: PageCall, ends: Ends) -> Comparison | None:
    """Commits and changes that would be merged; None where a branch is missing, or code is hidden from the visitor."""
    if not ends.source or not ends.target or not READ_CODE.allows(call.actor, call.project):
        return None
    other = {} if ends.project.id == call.project.id else {"from_project_id": ends.project.id}
    result: Comparison | None = call.ask_or_none(
        "/projects/:id/repository/compare", **{"from": ends.target, "to": ends.source, **other}
    )
    return result


def _texts(ends: Ends, compared: Comparison | None) -> tuple[str, str]:
    """Title and description: those of the only commit, else the name of the branch in words."""
    commits = compared["commits"] if compared else []
    if len(commits) == 1:
        title, _, body = commits[0]["message"].strip().partition("\n")
        return title[:255], body.strip()
    words = ends.source.rpartition("/")[2].replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] if ends.source else "", ""


def _template_names(call: PageCall, ends: Ends) -> list[str]:
    rows = call.ask_or_none(TEMPLATES, per_page="100", **_of_target(call, ends)) or []
    return [str(row["name"]) for row in rows]


def _template(call: PageCall, ends: Ends, name: str) -> str:
    """The text of a template; without one, that of the project's settings."""
    place = _of_target(call, ends)
    if name:
        template = call.ask_or_none(f"{TEMPLATES}/:name", name=name, **place)
        return str(template["content"]) if template else ""
    return str(call.ask("/projects/:id", **place).get("merge_requests_template") or "")


def _changes(call: PageCall, ends: Ends, compared: Comparison | None) -> dict[str, object]:
    """What would be merged."""
    if compared is None:
        return {}
    shown = plain_changes(
        call, compared["diffs"], ends.target, ends.source, base_project=ends.project, from_merge_base=True
    )
    return {"compared": compared, **shown}


def _form(call: PageCall, ends: Ends, values: dict[str, str], status: int = 200, /, **shown: object) -> View:
    branches = call.ask_or_none("/projects/:id/repository/branches", per_page="100", sort="updated_desc") or []
    can_set = is_developer(call.actor, ends.project)  # the API takes people, labels and milestone from them only
    values = {**values, "source_branch": ends.source, "target_branch": ends.target, "compared": _ends_in_words(ends),
              "target_project_id": str(ends.project.id)}  # fmt: skip
    return project_view(
        call, "merge_request_form", "merge_requests", status, names=[row["name"] for row in branches], values=values,
        can_set=can_set, **(offered_fields(call, **_of_target(call, ends)) if can_set else {}), **shown,
    )  # fmt: skip
