"""Branches, tags and the people behind the commits; the forms that make and delete branches and tags."""

from datetime import datetime, timedelta
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_CODE
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.authors import Authors, authors
from ingot.gitstore.listing import only_here, tagger_name
from ingot.gitstore.objects import head_commit
from ingot.kit.clock import now
from ingot.kit.errors import NotFound
from ingot.web.answers import BranchRow, TagRow
from ingot.web.call import PageCall, Rows, View
from ingot.web.commit_chart import draw
from ingot.web.folders import ref_choices
from ingot.web.frames import project_view
from ingot.web.guards import InHistory, InProject, can_push
from ingot.web.list_facts import branch_facts, commit_pipelines
from ingot.web.registry import Pages
from ingot.web.revisions import split
from ingot.web.sending import done, page_number, refused, text, texts
from ingot.web.waiting import if_ready

pages = Pages("project")
CODE = InProject(READ_CODE)
BRANCHES = "/projects/:id/repository/branches"
TAGS = "/projects/:id/repository/tags"
LOST_SHOWN = 20  # commits that a deleted branch takes along
PEOPLE_ON_A_PAGE = 50
STALE_AFTER = timedelta(days=90)
ORDERS = {"updated_desc": "Newest first", "updated_asc": "Oldest first", "name_asc": "Name"}
TAG_ORDERS = {
    "updated_desc": "Newest first", "updated_asc": "Oldest first", "name_asc": "Name",
    "name_desc": "Name, descending", "version_desc": "Highest version first", "version_asc": "Lowest version first",
}  # fmt: skip
# Tabs of branches, with the order in which the list begins with what the tab shows.
PARTS = {"all": "updated_desc", "active": "updated_desc", "stale": "updated_asc"}


@pages.get("branches", guard=CODE)
def list_branches(call: PageCall) -> View:
    """Branches, the default one first."""
    return _branches(call)


@pages.get("branches/{part}", guard=CODE)
def list_part_of_branches(call: PageCall) -> View | Response:
    """Branches by the age of their last commit."""
    part = call.path["part"]
    if part == "new":
        return RedirectResponse(f"/{call.project.full_path}/-/branches", 302)
    if part not in PARTS:
        raise NotFound
    return _branches(call, part=part)


@pages.post("branches", guard=CODE)
def create_branch(call: PageCall) -> View | Response:
    """Make a branch."""
    given = texts(call, ("branch", "ref"))
    view = refused(
        lambda: call.ask(BRANCHES, "POST", **given), lambda problem, status: _branches(call, problem, status)
    )
    return view or done(call, f"/{call.project.full_path}/-/tree/{given['branch']}", "Branch created.")


@pages.get("branches/remove", guard=CODE)
def show_remove_branch(call: PageCall) -> View:
    """What would be lost with a branch."""
    row = call.ask(f"{BRANCHES}/:branch", branch=text(call, "branch"))
    can_delete = can_push(call) and not row["protected"] and not row["default"]
    repository = repository_of(call.services, call.project)
    lost = only_here(repository, row["name"], row["commit"]["id"]) if can_delete else []
    return project_view(
        call, "branch_remove", "code", row=row, lost=lost, can_delete=can_delete,
        lost_commits=[head_commit(repository, sha) for sha in lost[:LOST_SHOWN]], requests=call.ask_or_none(
            "/projects/:id/merge_requests", source_branch=row["name"], state="opened", per_page="20") or [],
    )  # fmt: skip


@pages.post("branches/remove", guard=CODE)
def remove_branch(call: PageCall) -> Response:
    """Delete a branch."""
    call.ask(f"{BRANCHES}/:branch", "DELETE", branch=text(call, "branch"))
    return done(call, f"/{call.project.full_path}/-/branches", "Branch deleted.")


@pages.post("branches/remove_merged", guard=CODE)
def remove_merged_branches(call: PageCall) -> Response:
    """Delete the branches whose commits the default branch has."""
    call.ask("/projects/:id/repository/merged_branches", "DELETE")
    return done(call, f"/{call.project.full_path}/-/branches", "Merged branches deleted.")


@pages.get("tags", guard=CODE)
def list_tags(call: PageCall) -> View:
    """Tags, newest first."""
    return _tags(call)


@pages.post("tags", guard=CODE)
def create_tag(call: PageCall) -> View | Response:
    """Make a tag; with a message it is annotated."""
    given = {name: value for name, value in texts(call, ("tag_name", "ref", "message")).items() if value}
    view = refused(lambda: call.ask(TAGS, "POST", **given), lambda problem, status: _tags(call, problem, status))
    return view or done(call, f"/{call.project.full_path}/-/tags/{given['tag_name']}", "Tag created.")


@pages.post("tags/remove", guard=CODE)
def remove_tag(call: PageCall) -> Response:
    """Delete a tag."""
    call.ask(f"{TAGS}/:tag_name", "DELETE", tag_name=text(call, "tag_name"))
    return done(call, f"/{call.project.full_path}/-/tags", "Tag deleted.")


@pages.get("tags/{name*}", guard=CODE)
def show_tag(call: PageCall) -> View:
    """One tag."""
    tag = call.ask(f"{TAGS}/:tag_name", tag_name=call.path["name"])
    return project_view(
        call, "tag", "code", row=tag, can_delete=can_push(call), tagger=_tagger(call, tag),
        signature=call.ask_or_none(f"{TAGS}/:tag_name/signature", tag_name=call.path["name"]),
        can_release=call.may("POST", "/projects/:id/releases"),
    )  # fmt: skip


@pages.get("graphs/{rest*}", guard=InHistory())
def list_contributors(call: PageCall) -> View:
    """Who wrote how many commits of a revision."""
    ref, path = split(call, call.path["rest"])
    if path not in ("", "charts"):
        raise NotFound
    commit = call.ask("/projects/:id/repository/commits/:sha", sha=ref, stats=False)
    # Read here and not asked for: the endpoint has no times, and a long history is read once.
    repository, cache = repository_of(call.services, call.project), call.services.shared_cache
    people = if_ready(call, lambda: authors(repository, commit["id"], cache))
    shown = {"rows": None, "chart": None} if people is None else _shown_people(call, people)
    return project_view(call, "contributors", "code", ref=ref, **shown, **ref_choices(call))


def _shown_people(call: PageCall, everybody: Authors) -> dict[str, object]:
    """A page of the authors, those with the most commits first, and when they made them."""
    people = sorted(everybody, key=lambda one: -len(one.times))
    page, pages_of_list = page_number(call), -(-len(people) // PEOPLE_ON_A_PAGE)
    shown = people[(page - 1) * PEOPLE_ON_A_PAGE : page * PEOPLE_ON_A_PAGE]
    rows = Rows(shown, page, page + 1 if page < pages_of_list else None, page - 1 or None, len(people), pages_of_list)
    return {"rows": rows, "chart": draw(everybody, shown)}


def _branches(call: PageCall, problem: str = "", status: int = 200, part: str = "all") -> View:
    search, order = text(call, "search"), text(call, "sort")
    order = order if order in ORDERS and part == "all" else PARTS[part]
    rows = _up_to_the_other_kind(call.ask_rows(BRANCHES, search=search or None, sort=order), part)
    if part == "all" and not search:
        rows.items[:] = _default_first(call, rows)
    return project_view(
        call, "branches", "code", status, rows=rows, search=search, problem=problem, part=part, parts_of_list=PARTS,
        sent=call.values if problem else {},
        order=order, orders=ORDERS, query=_kept({"search": search, "sort": order if order != PARTS[part] else ""}),
        facts=branch_facts(call, rows.items),
        pipelines=commit_pipelines(call, [row["commit"] for row in rows.items]),
        can_create=can_push(call),
        can_delete=can_push(call),
        can_tidy=can_push(call) and any(row["merged"] and not row["protected"] for row in rows.items),
        can_open=call.may("POST", "/projects/:id/merge_requests"),
    )  # fmt: skip


def _default_first(call: PageCall, rows: Rows) -> list[BranchRow]:
    """The branches of a page; the first page begins with the default branch, and the others leave it out."""
    others = [row for row in rows.items if not row["default"]]
    if rows.page > 1:
        return others
    default = [row for row in rows.items if row["default"]]
    if not default and rows.next_page:
        branch = call.ask_or_none(f"{BRANCHES}/:branch", branch=str(call.project.default_branch))
        default = [branch] if branch else []
    return default + others


def _up_to_the_other_kind(rows: Rows, part: str) -> Rows:
    """The list is sorted by age: where the first branch of the other kind stands, those of this kind end."""
    if part == "all":
        return rows
    items = [row for row in rows.items if _is_stale(row) == (part == "stale")]
    next_page = rows.next_page if len(items) == len(rows.items) else None
    return Rows(items, rows.page, next_page, rows.previous_page, None)


def _is_stale(row: BranchRow) -> bool:
    return datetime.fromisoformat(row["commit"]["committed_date"]) < now() - STALE_AFTER


def _tags(call: PageCall, problem: str = "", status: int = 200) -> View:
    search, order = text(call, "search"), text(call, "sort")
    order = order if order in TAG_ORDERS else next(iter(TAG_ORDERS))
    order_by, _, sort = order.rpartition("_")
    rows = call.ask_rows(TAGS, search=search or None, order_by=order_by, sort=sort)
    return project_view(
        call, "tags", "code", status, rows=rows, search=search, problem=problem, can_create=can_push(call),
        sent=call.values if problem else {},
        order=order, orders=TAG_ORDERS, taggers={row["target"]: _tagger(call, row) for row in rows.items},
        query=_kept({"search": search, "sort": order if order != next(iter(TAG_ORDERS)) else ""}),
    )  # fmt: skip


def _tagger(call: PageCall, tag: TagRow) -> str:
    """Who made an annotated tag, which the API does not say."""
    return tagger_name(repository_of(call.services, call.project), tag["target"])


def _kept(chosen: dict[str, str]) -> str:
    """What other pages of a list are asked for."""
    return urlencode({name: value for name, value in chosen.items() if value})
