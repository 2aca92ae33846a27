"""The three lists of issues, and their statistics."""

from ingot.access.call import Call
from ingot.access.policy import ANYONE, READ_GROUP, READ_PROJECT
from ingot.features.planning.issues import listing
from ingot.features.planning.issues.entities import Counts, IssueBasic, IssuesStatistics, Statistics
from ingot.features.planning.issues.params import Filters, GlobalFilters, GlobalStatistics, GroupFilters, ListFilters
from ingot.features.planning.issues.present import presenter
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Unauthorized

routes = Routes("Issues")


def _require_user_for_own(call: Call[Filters]) -> None:
    if call.actor.is_anonymous and call.params.scope != "all":
        raise Unauthorized


@routes.get("/issues", guard=ANYONE, params=GlobalFilters, returns=list[IssueBasic], cached=True)
def list_issues(call: Call[GlobalFilters]) -> Answer:
    """Issues that the caller may read; the caller's own unless `scope` says otherwise."""
    _require_user_for_own(call)
    result = listing.everywhere(call)
    return call.page(result.rows, presenter("global"), values=result.values)


@routes.get("/projects/{id}/issues", guard=READ_PROJECT, params=ListFilters, returns=list[IssueBasic], cached=True)
def list_project_issues(call: Call[ListFilters]) -> Answer:
    """Issues of a project, newest first unless ordered otherwise."""
    result = listing.in_project(call)
    return call.page(result.rows, presenter("project"), values=result.values)


@routes.get("/groups/{id}/issues", guard=READ_GROUP, params=GroupFilters, returns=list[IssueBasic], cached=True)
def list_group_issues(call: Call[GroupFilters]) -> Answer:
    """Issues of the projects of a group and its subgroups."""
    result = listing.in_group(call)
    return call.page(result.rows, presenter("group"), values=result.values)


def _statistics(call: Call, result: listing.Listed) -> IssuesStatistics:
    by_state = {state: number for number, state in call.conn.execute(result.rows, result.values)}
    opened, closed = by_state.get("opened", 0), by_state.get("closed", 0)
    return IssuesStatistics(statistics=Statistics(counts=Counts(all=opened + closed, closed=closed, opened=opened)))


@routes.get("/issues_statistics", guard=ANYONE, params=GlobalStatistics, returns=IssuesStatistics)
def count_issues(call: Call[GlobalStatistics]) -> Answer:
    """How many of the issues are open and closed."""
    _require_user_for_own(call)
    return _statistics(call, listing.everywhere(call))


@routes.get("/projects/{id}/issues_statistics", guard=READ_PROJECT, params=Filters, returns=IssuesStatistics)
def count_project_issues(call: Call[Filters]) -> Answer:
    """How many issues of a project are open and closed."""
    return _statistics(call, listing.in_project(call))


@routes.get("/groups/{id}/issues_statistics", guard=READ_GROUP, params=Filters, returns=IssuesStatistics)
def count_group_issues(call: Call[Filters]) -> Answer:
    """How many issues of a group are open and closed."""
    return _statistics(call, listing.in_group(call))
