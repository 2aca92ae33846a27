"""What issues and merge requests share in payloads: people, labels, and what a change changed."""

from collections.abc import Mapping

from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload
from ingot.features.planning.issuable_changes import Snapshot, snapshot
from ingot.features.planning.issuables import IssuableRow, Target
from ingot.kit.durations import human

ACTIONS = {"closed": "close", "reopened": "reopen", "merged": "merge"}
# Changes by itself; a change of it alone is not reported.
SILENT = {"updated_at", "updated_by_id", "last_edited_at", "last_edited_by_id"}


def snapshot_of(blocks: Blocks, type_: str, record_id: int, project_id: int) -> Snapshot:
    """The record as it is now, with its people and labels."""
    return snapshot(blocks.tx, Target(type_, record_id, project_id))


def issuable_subject(type_: str, record_id: int | None) -> str:
    """The subject of all messages about an issue or a merge request."""
    return f"{type_}:{record_id}"


def time_columns(row: IssuableRow) -> Payload:
    """Estimates and time spent."""
    return {
        "time_estimate": row.time_estimate,
        "total_time_spent": row.total_time_spent,
        "human_total_time_spent": human(row.total_time_spent),
        "human_time_estimate": human(row.time_estimate),
    }


def spent_columns(before: Snapshot | None, after: Snapshot) -> Payload:
    """The time that this change spent."""
    seconds = 0 if before is None else after.row.total_time_spent - before.row.total_time_spent
    return {"time_change": seconds, "human_time_change": human(seconds)}


def first_columns(blocks: Blocks, state: Snapshot) -> Payload:
    """The columns with which both begin."""
    row = state.row
    return {
        "id": row.id,
        "iid": row.iid,
        "title": row.title,
        "description": blocks.absolute(row.description),
        "author_id": row.author_id,
        **people_columns(state),
    }


def issuable_payload(
    blocks: Blocks, state: Snapshot, user_id: int | None, project_id: int, attributes: Payload, changes: Payload
) -> Payload:
    """The part of a payload that follows its kind."""
    payload: Payload = {
        "user": blocks.user(user_id),
        "project": blocks.project(project_id),
        "object_attributes": attributes,
        "labels": blocks.labels(state.labels),
        "changes": changes,
        "repository": blocks.repository(project_id),
    }
    if state.assignees:
        payload["assignees"] = blocks.people(state.assignees)
    return payload


def people_columns(state: Snapshot) -> Payload:
    """Who is assigned."""
    ids = list(state.assignees)
    return {"assignee_id": ids[0] if ids else None, "assignee_ids": ids}


def changes_between(
    blocks: Blocks, before: Snapshot | None, after: Snapshot, columns: Mapping[str, object], old: Mapping[str, object]
) -> Payload:
    """`previous` and `current` of all that differs; of a new record, of all that it has."""
    result: Payload = {
        name: {"previous": old.get(name), "current": value}
        for name, value in columns.items()
        if old.get(name) != value and name not in ("labels", "assignee_id", "assignee_ids", "last_commit")
    }
    sets = {"labels": blocks.labels, "assignees": blocks.people, "reviewers": blocks.people}
    for name, written in sets.items():
        previous, current = getattr(before, name, {}), getattr(after, name)
        if previous.keys() != current.keys():
            result[name] = {"previous": written(previous), "current": written(current)}
    if spent := spent_columns(before, after)["time_change"]:
        result["time_change"] = {"previous": 0, "current": spent}
    return result
