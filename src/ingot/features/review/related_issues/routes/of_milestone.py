"""Issues and merge requests of a milestone."""

from typing import Any

from sqlalchemy import select

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.planning.issues import IssueBasic, issues, issues_with_project, presenter, readable_issues
from ingot.features.planning.milestones import find_one, usable_in_group, usable_in_project
from ingot.features.review.merge_requests import (
    MergeRequestBasic,
    merge_requests,
    present_embedded,
    readable_merge_requests,
    with_project,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound
from ingot.kit.params import Paging, Param

routes = Routes("Milestones")
READ_PROJECT_MILESTONE = ProjectAbility(ability="read_milestone", outsiders=True)
READ_GROUP_MILESTONE = GroupAbility(ability="read_group_milestone", outsiders=True)


class ListOfMilestone(Paging):
    """A list that belongs to a milestone."""

    milestone_id: int = Param("The milestone's global id.", required=True)


def find_milestone(call: Call[ListOfMilestone]) -> Any:
    """The milestone, and the condition for its issues and merge requests."""
    if call.project_or_none is not None:
        condition, place = usable_in_project(call.project, ancestors=False), projects.c.id == call.project.id
    else:
        below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == call.group.id)
        condition, place = usable_in_group(call.group), projects.c.namespace_id.in_(below)
    row = find_one(call.conn, condition, call.params.milestone_id)
    if row is None:
        raise NotFound("Milestone")
    return row, place


def _issues(call: Call[ListOfMilestone]) -> Any:
    row, place = find_milestone(call)
    query = issues_with_project().where(issues.c.milestone_id == row.id, place, readable_issues(call.actor))
    return call.page(
        query.order_by(issues.c.id.desc()), presenter("project" if call.group_or_none is None else "group")
    )


def _merge_requests(call: Call[ListOfMilestone]) -> Any:
    row, place = find_milestone(call)
    query = with_project().where(merge_requests.c.milestone_id == row.id, place, readable_merge_requests(call.actor))
    return call.page(query.order_by(merge_requests.c.id.desc()), present_embedded)


@routes.get(
    "/projects/{id}/milestones/{milestone_id}/issues",
    guard=READ_PROJECT_MILESTONE,
    params=ListOfMilestone,
    returns=list[IssueBasic],
)
def list_issues_of_project_milestone(call: Call[ListOfMilestone]) -> Answer:
    """Issues that are planned for a project's milestone."""
    return _issues(call)


@routes.get(
    "/projects/{id}/milestones/{milestone_id}/merge_requests",
    guard=READ_PROJECT_MILESTONE,
    params=ListOfMilestone,
    returns=list[MergeRequestBasic],
)
def list_merge_requests_of_project_milestone(call: Call[ListOfMilestone]) -> Answer:
    """Merge requests that are planned for a project's milestone."""
    return _merge_requests(call)


@routes.get(
    "/groups/{id}/milestones/{milestone_id}/issues",
    guard=READ_GROUP_MILESTONE,
    params=ListOfMilestone,
    returns=list[IssueBasic],
)
def list_issues_of_group_milestone(call: Call[ListOfMilestone]) -> Answer:
    """Issues that are planned for a group's milestone."""
    return _issues(call)


@routes.get(
    "/groups/{id}/milestones/{milestone_id}/merge_requests",
    guard=READ_GROUP_MILESTONE,
    params=ListOfMilestone,
    returns=list[MergeRequestBasic],
)
def list_merge_requests_of_group_milestone(call: Call[ListOfMilestone]) -> Answer:
    """Merge requests that are planned for a group's milestone."""
    return _merge_requests(call)
