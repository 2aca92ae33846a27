"""Issues with everything below them."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, Table, select, tuple_

from ingot.access.rows import ProjectRow
from ingot.features.planning.issues import IssueRow, issue_assignees, issue_labels, issue_state_events, issues
from ingot.features.planning.labels import labels
from ingot.features.transfer.project_exports.children import REST_KEY, put_back
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import BATCH, batches, stamp, times
from ingot.features.transfer.project_exports.relations.events import events_of
from ingot.features.transfer.project_exports.relations.labels import label_record, ranks_of, written_ranks
from ingot.features.transfer.project_exports.relations.milestones import milestones_by_id
from ingot.features.transfer.project_exports.relations.notes import awards_of, notes_of, portions
from ingot.features.transfer.project_exports.relations.resource_events import resource_events_of, with_events
from ingot.features.transfer.project_exports.relations.times import timelogs_of
from ingot.kit.entity import group_by
from ingot.kit.services import Services


def label_links(
    conn: Connection, project_id: int, links: Table, column: str, kind: str, ids: Sequence[int]
) -> dict[int, list[dict[str, Any]]]:
    """Labels of a batch, embedded as links."""
    records = conn.execute(
        select(links.c[column], labels)
        .join_from(links, labels, labels.c.id == links.c.label_id)
        .where(links.c[column].in_(ids))
        .order_by(labels.c.id)
    ).all()
    ranks = ranks_of(conn, project_id, {row.id for row in records})
    return {
        owner: [
            {
                "target_type": kind,
                **times(row),
                "label": {**label_record(row), "priorities": written_ranks(row, ranks)},
            }
            for row in rows
        ]
        for owner, rows in group_by(records, lambda row: getattr(row, column)).items()
    }


EDITED = ("updated_by_id", "last_edited_by_id", "health_status", "external_key")


def _state_events(conn: Connection, ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """When the issues of a batch were closed and reopened."""
    table = issue_state_events
    records = conn.execute(select(table).where(table.c.issue_id.in_(ids)).order_by(table.c.id))
    return {
        issue_id: [
            {
                "state": row.state,
                "user_id": row.user_id,
                "created_at": stamp(row.created_at),
                "source_commit": None,
                "close_after_error_tracking_resolve": False,
                "close_auto_resolve_prometheus_alert": False,
            }
            for row in rows
        ]
        for issue_id, rows in group_by(records, lambda row: row.issue_id).items()
    }


def _in_order(conn: Connection, query: Select[Any]) -> Iterator[Sequence[Any]]:
    """By position on boards; those without one come last, by age."""
    position, last = issues.c.relative_position, None
    while True:
        placed = query.where(position.is_not(None))
        if last is not None:
            placed = placed.where(tuple_(position, issues.c.id) > tuple_(last.relative_position, last.id))
        rows = conn.execute(placed.order_by(position, issues.c.id).limit(BATCH)).all()
        if not rows:
            break
        yield rows
        last = rows[-1]
    yield from batches(conn, query.where(position.is_(None)), issues.c.id)


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's issues."""
    for batch in _in_order(conn, select(issues).where(issues.c.project_id == project.id)):
        for rows in portions(conn, "Issue", batch):
            yield from _portion(conn, project, rows)


def _portion(conn: Connection, project: ProjectRow, rows: Sequence[IssueRow]) -> Iterator[dict[str, Any]]:
    ids = [row.id for row in rows]
    notes = notes_of(conn, project.id, "Issue", ids)
    awards = awards_of(conn, "Issue", ids)
    linked = label_links(conn, project.id, issue_labels, "issue_id", "Issue", ids)
    milestones = milestones_by_id(conn, project.id, {row.milestone_id for row in rows if row.milestone_id})
    people = group_by(
        conn.execute(select(issue_assignees).where(issue_assignees.c.issue_id.in_(ids))), lambda row: row.issue_id
    )
    logs = timelogs_of(conn, "Issue", ids)
    remaining = preserved_for(conn, project.id, "issues", ids)
    events = _state_events(conn, ids)
    changes = resource_events_of(conn, project.id, "issue_id", ids)
    done = events_of(conn, ["Issue"], ids)
    for row in rows:
        mine = remaining.get(row.id, {})
        record = {
            "resource_state_events": [],
            "designs": [],
            "design_versions": [],
            "zoom_meetings": [],
            "lock_version": 0,
            "updated_by_id": None,
            "last_edited_at": None,
            "last_edited_by_id": None,
            "health_status": None,
            "external_key": None,
            "external_author": None,
            **{name: value for name, value in mine.items() if name != REST_KEY},
            **{name: value for name in EDITED if (value := getattr(row, name)) is not None},
            **({"last_edited_at": stamp(row.last_edited_at)} if row.last_edited_at else {}),
            **({"resource_state_events": events[row.id]} if row.id in events else {}),
            **with_events(mine, changes, row.id),
            "events": [*mine.get("events", []), *done.get(row.id, [])],
            "iid": row.iid,
            "title": row.title,
            "description": row.description,
            "state": row.state,
            "author_id": row.author_id,
            "project_id": row.project_id,
            **times(row),
            "confidential": row.confidential,
            "closed_at": stamp(row.closed_at),
            "closed_by_id": row.closed_by_id,
            "due_date": row.due_date.isoformat() if row.due_date else None,
            "weight": row.weight,
            "time_estimate": row.time_estimate,
            "relative_position": row.relative_position,
            "discussion_locked": row.discussion_locked,
            "issue_type": row.issue_type,
            "work_item_type": {"base_type": row.issue_type},
            "notes": notes.get(row.id, []),
            "award_emoji": awards.get(row.id, []),
            "label_links": linked.get(row.id, []),
            "issue_assignees": [{"user_id": one.user_id} for one in people.get(row.id, [])],
            "timelogs": logs.get(row.id, []),
        }
        if row.milestone_id in milestones:
            record["milestone"] = milestones[row.milestone_id]
        put_back(record, mine)
        yield record
