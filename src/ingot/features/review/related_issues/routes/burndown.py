"""What happened to the issues of a milestone, for burndown charts (premium)."""

from datetime import UTC, datetime, time

from sqlalchemy import String, literal, select, union_all

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.planning.issues import issue_state_events, issues, readable_issues
from ingot.features.review.related_issues.routes.of_milestone import (
    READ_GROUP_MILESTONE,
    READ_PROJECT_MILESTONE,
    ListOfMilestone,
    find_milestone,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity, wire
from ingot.kit.errors import Failure

routes = Routes("Milestones")


class BurndownEvent(Entity):
    """An issue of a milestone was opened, closed or reopened."""

    created_at: datetime
    weight: int | None
    action: str


def _events(call: Call[ListOfMilestone]) -> list[BurndownEvent]:
    """In order of time, up to the day when the milestone is due."""
    if not call.services.settings.has_tier("premium"):
        raise Failure(405, "Milestone does not support burndown chart")
    row, place = find_milestone(call)
    if row.start_date is None or row.due_date is None:
        return []
    end = datetime.combine(row.due_date, time.max, UTC)
    planned = (
        select(issues.c.id, issues.c.created_at, issues.c.weight)
        .join_from(issues, projects, projects.c.id == issues.c.project_id)
        .where(issues.c.milestone_id == row.id, place, readable_issues(call.actor))
        .cte("planned")
    )
    table, action = issue_state_events, literal("created", String)
    events = union_all(
        select(planned.c.created_at, planned.c.weight, action.label("action")),
        select(table.c.created_at, planned.c.weight, table.c.state).join_from(
            planned, table, table.c.issue_id == planned.c.id
        ),
    ).subquery()
    query = select(events).where(events.c.created_at <= end).order_by(events.c.created_at)
    return [
        BurndownEvent(created_at=wire(one.created_at), weight=one.weight, action=one.action)
        for one in call.conn.execute(query)
    ]


@routes.get(
    "/projects/{id}/milestones/{milestone_id}/burndown_events",
    guard=READ_PROJECT_MILESTONE,
    params=ListOfMilestone,
    returns=list[BurndownEvent],
)
def list_burndown_events_of_project_milestone(call: Call[ListOfMilestone]) -> Answer:
    """Openings and closings of the issues of a project's milestone (premium), with their weights."""
    return call.page_of_list(_events(call), lambda _call, part: list(part))


@routes.get(
    "/groups/{id}/milestones/{milestone_id}/burndown_events",
    guard=READ_GROUP_MILESTONE,
    params=ListOfMilestone,
    returns=list[BurndownEvent],
)
def list_burndown_events_of_group_milestone(call: Call[ListOfMilestone]) -> Answer:
    """Openings and closings of the issues of a group's milestone (premium), with their weights."""
    return call.page_of_list(_events(call), lambda _call, part: list(part))
