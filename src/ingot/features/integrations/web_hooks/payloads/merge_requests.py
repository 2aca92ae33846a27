"""Payloads of merge requests."""

from datetime import datetime
from typing import Any

from sqlalchemy import select

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, moment
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
from ingot.features.planning.notes import notes
from ingot.features.review.approvals import has_rules
from ingot.features.review.approvals import states as approval_states
from ingot.features.review.merge_requests import (
    MergeRequestWithProject,
    detailed_statuses,
    find_by_id,
    merge_request_reviewers,
    shown,
)
from ingot.kit.changes import Change

STATES = {"opened": 1, "closed": 2, "merged": 3, "locked": 4}
# What moved where no earlier state is at hand: the state before it.
EARLIER = {"closed": 1, "reopened": 2, "merged": 1}
# The texts of a request; of a change of them it is told who made it.
WORDS = frozenset(("title", "description"))


def columns_of(blocks: Blocks, state: Snapshot) -> Payload:
    """The plain columns of a merge request whose changes are reported."""
    row: Any = state.row
    removes = bool(row.force_remove_source_branch)
    return {
        **first_columns(blocks, state),
        "reviewer_ids": list(state.reviewers),
        "milestone_id": row.milestone_id,
        "source_branch": row.source_branch,
        "source_project_id": row.source_project_id,
        "target_branch": row.target_branch,
        "target_project_id": row.project_id,
        "state_id": STATES[row.state],
        "created_at": moment(row.created_at),
        "updated_at": moment(row.updated_at),
        "prepared_at": moment(row.prepared_at),
        "head_pipeline_id": row.head_pipeline_id,
        "merge_commit_sha": row.merge_commit_sha,
        "merge_error": row.merge_error,
        "merge_params": {"force_remove_source_branch": "1" if removes else "0"},
        "merge_status": shown(row.merge_status),
        "merge_user_id": row.merged_by_id or row.auto_merge_user_id,
        "merge_when_pipeline_succeeds": row.auto_merge,
        "draft": row.is_draft,
        "work_in_progress": row.is_draft,
        "blocking_discussions_resolved": row.unresolved_threads == 0,
        **time_columns(row),
    }


def _edit(blocks: Blocks, request_id: int, until: datetime | None = None) -> Payload:
    """Who changed the title or the description last, until then. Only the system notes tell of it."""
    here = [notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == request_id, notes.c.system]
    if until is not None:
        here.append(notes.c.created_at <= until)
    query = select(notes.c.author_id, notes.c.created_at).where(*here, notes.c.system_action.in_(WORDS))
    note = blocks.tx.execute(query.order_by(notes.c.created_at.desc(), notes.c.id.desc()).limit(1)).one_or_none()
    by, at = (None, None) if note is None else (note.author_id, moment(note.created_at))
    return {"updated_by_id": by, "last_edited_at": at, "last_edited_by_id": by}


def attributes(blocks: Blocks, state: Snapshot, before: Snapshot | None = None) -> Payload:
    """A merge request, and what changed since an earlier state of it; its last commit is a late part."""
    row = state.row
    whole = find_by_id(blocks.tx, row.id)
    status = "unchecked" if whole is None else detailed_statuses(blocks.tx, [whole], paid=True)[row.id]
    return {
        **columns_of(blocks, state),
        **_edit(blocks, row.id),
        **spent_columns(before, state),
        "state": row.state,
        "detailed_merge_status": status,
        "first_contribution": bool(row.first_contribution),
        "labels": blocks.labels(state.labels),
        "approval_rules": _approval_rules(blocks, whole),
        "system": False,
        "source": None if row.source_project_id is None else blocks.project(row.source_project_id),
        "target": blocks.project(row.project_id),
        "last_commit": None,
        "url": f"{blocks.project_url(row.project_id)}/-/merge_requests/{row.iid}",
    }


def _approval_rules(blocks: Blocks, row: MergeRequestWithProject | None) -> list[Payload]:
    """The rules that hold for a request."""
    if row is None or not has_rules(blocks.tx, [row]):
        return []
    rules = [one.rule for one in approval_states(blocks.tx, [row])[row.id].rules]
    return [
        {
            "id": rule.row.id,
            "name": "All Members" if rule.is_any else rule.row.name,
            "rule_type": rule.row.rule_type,
            "report_type": rule.row.report_type,
            "approvals_required": rule.row.approvals_required,
            "merge_request_id": row.id,
            "created_at": moment(rule.row.created_at),
            "updated_at": moment(rule.row.updated_at),
        }
        for rule in rules
    ]


def last_commit(state: Snapshot, *path: str) -> list[dict[str, object]]:
    """The late part: the commit at the head."""
    row = state.row
    if row.head_sha is None:
        return []
    return [{"kind": "commit", "at": [*path, "last_commit"], "project_id": row.project_id, "sha": row.head_sha}]


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a change to a merge request."""
    if change.action == "create":
        return []  # sent once its commits are known
    project_id = change.project_id or 0
    state = snapshot_of(blocks, "MergeRequest", change.record_id, project_id)
    given = change.details.get("before")
    before = given if isinstance(given, Snapshot) else None
    changes: Payload = {}
    if change.action == "open" or before is not None:
        old = {} if before is None else columns_of(blocks, before)
        changes = changes_between(blocks, before, state, columns_of(blocks, state), old)
        if before is not None and not changes.keys() - SILENT:
            return []
        if before is not None and changes.keys() & WORDS:
            changes |= _between(*(_edit(blocks, change.record_id, until) for until in (before.row.updated_at, None)))
    elif change.action in EARLIER:
        changes = {"state_id": {"previous": EARLIER[change.action], "current": STATES[state.row.state]}}
    told = change.details.get("changed")
    if isinstance(told, dict):
        changes |= told
    action: Payload = {} if change.action == "test" else {"action": _action(blocks, change)}
    if "oldrev" in change.details:
        action["oldrev"] = str(change.details["oldrev"])
    if "system_action" in change.details:
        action |= {"system": True, "system_action": change.details["system_action"]}
    attributes_now = {**attributes(blocks, state, before), **action}
    payload: Payload = {
        "object_kind": "merge_request",
        "event_type": "merge_request",
        **issuable_payload(blocks, state, change.user_id, project_id, attributes_now, changes),
    }
    if state.reviewers:
        payload["reviewers"] = _reviewers(blocks, change.record_id)
    late = last_commit(state, "object_attributes")
    subject = issuable_subject("MergeRequest", change.record_id)
    return [Message("merge_requests_events", subject, payload, late_parts=late)]


def _between(earlier: Payload, now: Payload) -> Payload:
    return {name: {"previous": earlier[name], "current": value} for name, value in now.items()}


def _reviewers(blocks: Blocks, request_id: int) -> list[Payload]:
    table = merge_request_reviewers
    rows = blocks.tx.execute(select(table).where(table.c.merge_request_id == request_id).order_by(table.c.user_id))
    return [{**block, "state": row.state} for row in rows if (block := blocks.user(row.user_id)) is not None]


def _action(blocks: Blocks, change: Change) -> str:
    """The word of the wire; an approval says whether it was the last that was missing."""
    if change.action not in ("approved", "unapproved"):
        return ACTIONS.get(change.action, change.action)
    if change.action == "unapproved":
        return "unapproved" if change.details.get("was_approved", True) else "unapproval"
    row = find_by_id(blocks.tx, change.record_id)
    is_approved = row is None or approval_states(blocks.tx, [row])[row.id].is_approved
    return "approved" if is_approved else "approval"
