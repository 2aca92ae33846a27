"""Events of labels, milestones and weights on the wire."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.labels import LabelDetail, label_detail, labels
from ingot.features.planning.milestones import Milestone, milestones_by_id
from ingot.features.planning.resource_events.rows import LabelEventRow, MilestoneEventRow, WeightEventRow
from ingot.kit.entity import Entity, wire


class LabelEvent(Entity):
    """A label was added or removed; `label` is null once the label is deleted."""

    id: int
    user: UserBasic | None
    created_at: datetime
    resource_type: str
    resource_id: int
    label: LabelDetail | None
    action: str


class MilestoneEvent(Entity):
    """A milestone was set or removed; `state` is that of the issue or merge request at that time."""

    id: int
    user: UserBasic | None
    created_at: datetime
    resource_type: str
    resource_id: int
    milestone: Milestone
    action: str
    state: str


class WeightEvent(Entity):
    """The weight of an issue was changed; null where it was removed."""

    id: int
    user: UserBasic | None
    created_at: datetime
    issue_id: int
    weight: int | None


def _resource(issue_id: int | None, merge_request_id: int | None) -> tuple[str, int]:
    return ("Issue", issue_id) if issue_id is not None else ("MergeRequest", merge_request_id or 0)


def present_label_events(call: Call, rows: Sequence[LabelEventRow]) -> list[LabelEvent]:
    """A page of label events."""
    people = users_by_id(call.conn, (row.user_id for row in rows), call.base_url)
    label_ids = {row.label_id for row in rows if row.label_id is not None}
    details = {row.id: label_detail(row) for row in call.conn.execute(select(labels).where(labels.c.id.in_(label_ids)))}
    return [
        LabelEvent(
            row.id,
            people.get(row.user_id or 0),
            wire(row.created_at),
            *_resource(row.issue_id, row.merge_request_id),
            label=details.get(row.label_id or 0),
            action=row.action,
        )
        for row in rows
    ]


def present_milestone_events(call: Call, rows: Sequence[MilestoneEventRow]) -> list[MilestoneEvent]:
    """A page of milestone events."""
    people = users_by_id(call.conn, (row.user_id for row in rows), call.base_url)
    milestones = milestones_by_id(call.conn, (row.milestone_id for row in rows), call.base_url)
    return [
        MilestoneEvent(
            row.id,
            people.get(row.user_id or 0),
            wire(row.created_at),
            *_resource(row.issue_id, row.merge_request_id),
            milestone=milestones[row.milestone_id],
            action=row.action,
            state=row.state,
        )
        for row in rows
        if row.milestone_id in milestones  # deleted between two statements
    ]


def present_weight_events(call: Call, rows: Sequence[WeightEventRow]) -> list[WeightEvent]:
    """A page of weight events."""
    people = users_by_id(call.conn, (row.user_id for row in rows), call.base_url)
    return [
        WeightEvent(row.id, people.get(row.user_id or 0), wire(row.created_at), row.issue_id, row.weight)
        for row in rows
    ]
