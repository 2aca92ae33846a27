"""The searches of the instance, of a group and of a project."""

from msgspec.structs import replace

from ingot.access.call import Call
from ingot.access.policy import READ_GROUP_SIGNED_IN, READ_PROJECT_SIGNED_IN, SIGNED_IN
from ingot.features.code.repository import CommitDetail
from ingot.features.people.users import UserBasic
from ingot.features.planning.issues import IssueBasic
from ingot.features.planning.milestones import Milestone
from ingot.features.planning.notes import Note
from ingot.features.review.merge_requests import MergeRequestBasic
from ingot.features.review.search.checks import check_engine, check_switch, limit_searches
from ingot.features.review.search.entities import BlobHit
from ingot.features.review.search.params import Search, SearchEverywhere, SearchGroup, SearchProject
from ingot.features.review.search.scopes import IN_GIT, SCOPES
from ingot.features.spaces.projects import ProjectSimple
from ingot.features.spaces.snippets import Snippet
from ingot.kit.endpoint import Answer, OneOf, Routes
from ingot.kit.pagination import Page

routes = Routes("Search", waits=True, errors=(408,))
SHOWN = OneOf(
    list[ProjectSimple],
    list[IssueBasic],
    list[MergeRequestBasic],
    list[Milestone],
    list[UserBasic],
    list[Snippet],
    list[Note],
    list[CommitDetail],
    list[BlobHit],
)


def _search(call: Call[Search]) -> Page:
    limit_searches(call)
    check_engine(call)
    page = _page(call)
    return replace(page, headers={**page.headers, "X-Search-Type": "basic"})


def _page(call: Call[Search]) -> Page:
    scope = call.params.scope
    if scope in IN_GIT:
        return IN_GIT[scope](call)
    result = SCOPES[scope](call)
    # Totals would cost a second search over everything; GitLab counts in projects only, too.
    return call.page(result.rows, result.present, count=call.project_or_none is not None, values=result.values)


@routes.get("/search", guard=SIGNED_IN, params=SearchEverywhere, returns=SHOWN)
def search_instance(call: Call[SearchEverywhere]) -> Answer:
    """Search everything that the caller may read."""
    check_switch(call)
    return _search(call)


@routes.get("/groups/{id}/search", guard=READ_GROUP_SIGNED_IN, params=SearchGroup, returns=SHOWN)
def search_group(call: Call[SearchGroup]) -> Answer:
    """Search a group and its subgroups."""
    return _search(call)


@routes.get("/groups/{id}/-/search", guard=READ_GROUP_SIGNED_IN, params=SearchGroup, returns=SHOWN, hidden=True)
def search_group_by_web_path(call: Call[SearchGroup]) -> Answer:
    """The same under its older address."""
    return _search(call)


@routes.get("/projects/{id}/search", guard=READ_PROJECT_SIGNED_IN, params=SearchProject, returns=SHOWN)
def search_project(call: Call[SearchProject]) -> Answer:
    """Search a project."""
    return _search(call)


@routes.get("/projects/{id}/-/search", guard=READ_PROJECT_SIGNED_IN, params=SearchProject, returns=SHOWN, hidden=True)
def search_project_by_web_path(call: Call[SearchProject]) -> Answer:
    """The same under its older address."""
    return _search(call)
