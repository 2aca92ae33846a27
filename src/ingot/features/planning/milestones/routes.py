"""Endpoints of milestones; lists of their issues and merge requests are in `related_issues`."""

from sqlalchemy import ColumnElement, Connection

from ingot.access.call import Call
from ingot.access.subjects import get_group
from ingot.features.people.event_log import forget_targets, record_event
from ingot.features.planning.milestones import commands, queries
from ingot.features.planning.milestones.commands import MOVES
from ingot.features.planning.milestones.entities import Milestone, milestone, present
from ingot.features.planning.milestones.params import (
    CreateMilestone,
    GetMilestone,
    ListGroupMilestones,
    ListMilestones,
    UpdateMilestone,
)
from ingot.features.planning.milestones.policy import (
    ADMIN_GROUP_MILESTONES,
    ADMIN_MILESTONES,
    READ_GROUP_MILESTONES,
    READ_MILESTONES,
)
from ingot.features.planning.milestones.rows import MilestoneWithPaths
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, NotFound

routes = Routes("Milestones")


def _condition(call: Call) -> ColumnElement[bool]:
    if call.project_or_none is not None:
        return queries.usable_in_project(call.project, ancestors=False)
    return queries.usable_in_group(call.group)


def _find(call: Call[GetMilestone]) -> MilestoneWithPaths:
    return _get(call, _condition(call), call.params.milestone_id)


def _get(call: Call, condition: ColumnElement[bool], milestone_id: int) -> MilestoneWithPaths:
    row = queries.find_one(call.conn, condition, milestone_id)
    if row is None:
        raise NotFound("Milestone")
    return row


def _create(call: Call[CreateMilestone]) -> Milestone:
    options = call.params
    values = {
        "title": options.title,
        "description": options.description,
        "due_date": options.due_date,
        "start_date": options.start_date,
    }
    with call.write() as tx:
        project, group = call.project_or_none, call.group_or_none
        created = commands.create_milestone(
            tx,
            values,
            project_id=None if project is None else project.id,
            group_id=None if group is None else group.id,
        )
        _record(tx, call, "created", created)
    return milestone(_get(call, _condition(call), created), call.base_url)


def _update(call: Call[UpdateMilestone]) -> Milestone:
    row = _find(call)
    given = call.params.given()
    changes = {name: value for name, value in given.items() if name not in ("milestone_id", "state_event")}
    with call.write() as tx:
        commands.update_milestone(tx, row, changes, call.params.state_event)
        state = MOVES.get(call.params.state_event or "", row.state)
        if state != row.state:
            _record(tx, call, "closed" if state == "closed" else "reopened", row.id)
    return milestone(_find(call), call.base_url)


def _delete(call: Call[GetMilestone]) -> None:
    row = _find(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.delete_milestone(tx, row)
        forget_targets(tx, ["Milestone"], [row.id])
        _record(tx, call, "destroyed", row.id)


def _record(tx: Connection, call: Call, action: str, milestone_id: int) -> None:
    """Events belong to projects; milestones of groups have none."""
    if call.project_or_none is not None:
        record_event(tx, action, call.project.id, call.actor.user_id, ("Milestone", milestone_id))


@routes.get("/projects/{id}/milestones", guard=READ_MILESTONES, params=ListMilestones, returns=list[Milestone])
def list_project_milestones(call: Call[ListMilestones]) -> Answer:
    """Milestones of a project and, on request, of its parent groups."""
    condition = queries.usable_in_project(call.project, ancestors=call.params.include_ancestors)
    return call.page(queries.listed(condition, call.params), present)


@routes.get("/projects/{id}/milestones/{milestone_id}", guard=READ_MILESTONES, params=GetMilestone, returns=Milestone)
def get_project_milestone(call: Call[GetMilestone]) -> Answer:
    """One milestone of a project."""
    return milestone(_find(call), call.base_url)


@routes.post("/projects/{id}/milestones", guard=ADMIN_MILESTONES, params=CreateMilestone, returns=Milestone)
def create_project_milestone(call: Call[CreateMilestone]) -> Answer:
    """Create a milestone in a project."""
    return _create(call)


@routes.put(
    "/projects/{id}/milestones/{milestone_id}", guard=ADMIN_MILESTONES, params=UpdateMilestone, returns=Milestone
)
def update_project_milestone(call: Call[UpdateMilestone]) -> Answer:
    """Change, close or reopen a milestone of a project."""
    return _update(call)


@routes.delete("/projects/{id}/milestones/{milestone_id}", guard=ADMIN_MILESTONES, params=GetMilestone)
def delete_project_milestone(call: Call[GetMilestone]) -> None:
    """Delete a milestone of a project."""
    _delete(call)


@routes.post(
    "/projects/{id}/milestones/{milestone_id}/promote",
    guard=ADMIN_MILESTONES,
    params=GetMilestone,
    returns=Milestone,
    status=200,
)
def promote_project_milestone(call: Call[GetMilestone]) -> Answer:
    """Promote a project milestone to a group milestone (planners of both)."""
    if call.project.namespace_kind != "group":
        raise Forbidden
    ADMIN_GROUP_MILESTONES.require(call.actor, get_group(call.conn, call.actor, call.project.namespace_id))
    row = _find(call)
    with call.write() as tx:
        commands.promote(tx, row, call.project.namespace_id)
    return milestone(_get(call, queries.usable_in_project(call.project), row.id), call.base_url)


@routes.get("/groups/{id}/milestones", guard=READ_GROUP_MILESTONES, params=ListGroupMilestones, returns=list[Milestone])
def list_group_milestones(call: Call[ListGroupMilestones]) -> Answer:
    """Milestones of a group and, on request, of parent groups and subgroups."""
    condition = queries.listed_in_group(call.actor, call.group, call.params)
    return call.page(queries.listed(condition, call.params), present)


@routes.get(
    "/groups/{id}/milestones/{milestone_id}", guard=READ_GROUP_MILESTONES, params=GetMilestone, returns=Milestone
)
def get_group_milestone(call: Call[GetMilestone]) -> Answer:
    """One milestone of a group."""
    return milestone(_find(call), call.base_url)


@routes.post("/groups/{id}/milestones", guard=ADMIN_GROUP_MILESTONES, params=CreateMilestone, returns=Milestone)
def create_group_milestone(call: Call[CreateMilestone]) -> Answer:
    """Create a milestone in a group."""
    return _create(call)


@routes.put(
    "/groups/{id}/milestones/{milestone_id}", guard=ADMIN_GROUP_MILESTONES, params=UpdateMilestone, returns=Milestone
)
def update_group_milestone(call: Call[UpdateMilestone]) -> Answer:
    """Change, close or reopen a milestone of a group."""
    return _update(call)


@routes.delete("/groups/{id}/milestones/{milestone_id}", guard=ADMIN_GROUP_MILESTONES, params=GetMilestone)
def delete_group_milestone(call: Call[GetMilestone]) -> None:
    """Delete a milestone of a group."""
    _delete(call)
