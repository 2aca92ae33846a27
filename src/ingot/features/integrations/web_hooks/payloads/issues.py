"""Payloads of issues."""

from typing import Any

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, day, moment
from ingot.features.integrations.web_hooks.payloads.issuables import (
    ACTIONS,
    SILENT,
    changes_between,
    first_columns,
    issuable_payload,
    issuable_subject,
    snapshot_of,
    spent_columns,
    time_columns,
)
from ingot.features.planning.issuable_changes import Snapshot
from ingot.kit.changes import Change

STATES = {"opened": 1, "closed": 2}
TYPES = {"issue": "Issue", "incident": "Incident", "test_case": "Test Case", "task": "Task"}


def columns_of(blocks: Blocks, state: Snapshot) -> Payload:
    """The plain columns of an issue whose changes are reported."""
    row: Any = state.row
    return {
        **first_columns(blocks, state),
        "project_id": row.project_id,
        "milestone_id": row.milestone_id,
        "created_at": moment(row.created_at),
        "updated_at": moment(row.updated_at),
        "updated_by_id": row.updated_by_id,
        "last_edited_at": moment(row.last_edited_at),
        "last_edited_by_id": row.last_edited_by_id,
        "closed_at": moment(row.closed_at),
        "due_date": day(row.due_date),
        "confidential": row.confidential,
        "discussion_locked": row.discussion_locked,
        "relative_position": row.relative_position,
        "state_id": STATES[row.state],
        "moved_to_id": row.moved_to_id,
        "duplicated_to_id": None,
        **time_columns(row),
        "weight": row.weight,
        "health_status": row.health_status,
        "severity": "unknown",
    }


def attributes(blocks: Blocks, state: Snapshot, before: Snapshot | None = None) -> Payload:
    """An issue, and what changed since an earlier state of it."""
    row = state.row
    return {
        **columns_of(blocks, state),
        **spent_columns(before, state),
        **_escalation(state),
        "state": row.state,
        "type": TYPES.get(row.issue_type, row.issue_type.title()),
        "customer_relations_contacts": [],
        "labels": blocks.labels(state.labels),
        "url": f"{blocks.project_url(row.project_id)}/-/issues/{row.iid}",
    }


def _escalation(state: Snapshot) -> Payload:
    """Whether somebody still has to look after an incident; other issues have no such state."""
    if state.row.issue_type != "incident":
        return {}
    return {"escalation_status": "resolved" if state.row.state == "closed" else "triggered", "escalation_policy": None}


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a change to an issue."""
    project_id = change.project_id or 0
    after = change.details.get("after")
    state = after if isinstance(after, Snapshot) else snapshot_of(blocks, "Issue", change.record_id, project_id)
    given = change.details.get("before")
    before = given if isinstance(given, Snapshot) else None
    is_test = change.action == "test"
    changes: Payload = {}
    if change.action in ("open", "update"):
        old = {} if before is None else columns_of(blocks, before)
        changes = changes_between(blocks, before, state, columns_of(blocks, state), old)
        if change.action == "update" and not changes.keys() - SILENT:
            return []
    elif change.action in ACTIONS:
        current = STATES[state.row.state]
        changes = {"state_id": {"previous": 3 - current, "current": current}}
    action = {} if is_test else {"action": ACTIONS.get(change.action, change.action)}
    kind = "confidential_issue" if state.row.confidential else "issue"
    attributes_now = {**attributes(blocks, state, before), **action}
    is_item = state.row.issue_type == "task"
    payload: Payload = {
        "object_kind": "work_item" if is_item else "issue",
        "event_type": "work_item" if is_item else kind,
        **issuable_payload(blocks, state, change.user_id, project_id, attributes_now, changes),
    }
    flag = "confidential_issues_events" if state.row.confidential else "issues_events"
    return [Message(flag, issuable_subject("Issue", change.record_id), payload)]
