"""Issues with everything below them."""

from collections.abc import Mapping

from sqlalchemy import Connection, insert, update

from ingot.features.planning.issuables import count_tasks
from ingot.features.planning.issues import issue_assignees, issue_labels, issue_state_events, issues
from ingot.features.transfer.project_imports.builders.events import build_events
from ingot.features.transfer.project_imports.builders.labels import link
from ingot.features.transfer.project_imports.builders.milestones import milestone_id
from ingot.features.transfer.project_imports.builders.notes import build_awards, build_notes, build_times
from ingot.features.transfer.project_imports.builders.numbers import mark_unnumbered, take_number
from ingot.features.transfer.project_imports.builders.resource_events import build_resource_events
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import (
    day,
    flag,
    flag_or_none,
    iid,
    moment,
    moment_or,
    number,
    one,
    records,
    text,
)

MODELLED = frozenset(
    [
        "iid",
        "title",
        "description",
        "state",
        "author_id",
        "project_id",
        "created_at",
        "updated_at",
        "confidential",
        "closed_at",
        "closed_by_id",
        "due_date",
        "weight",
        "time_estimate",
        "relative_position",
        "discussion_locked",
        "issue_type",
        "work_item_type",
        "notes",
        "award_emoji",
        "label_links",
        "issue_assignees",
        "timelogs",
        "milestone",
        "state_id",
        "updated_by_id",
        "last_edited_at",
        "last_edited_by_id",
        "health_status",
        "external_key",
        "resource_state_events",
    ]
)
KINDS = ("label_links", "issue_assignees", "timelogs")  # children that may have unmodelled attributes
STATES = ("closed", "reopened")
DISTANCE = 513  # room for others in between
TYPES = ("issue", "incident", "test_case", "requirement", "task", "ticket")


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `issues`."""
    archived_iid = iid(record)
    if context.skips_existing and archived_iid in context.existing_iids:
        return
    given = take_number(context, tx, issues, "issues", archived_iid)
    created = moment_or(record, "created_at", context.started)
    base_type = (one(record, "work_item_type") or {}).get("base_type") or record.get("issue_type")
    milestone = one(record, "milestone")
    tasks, done = count_tasks(text(record, "description"))
    created_row = tx.execute(
        insert(issues)
        .values(
            iid=given,
            project_id=context.project.id,
            author_id=context.people.of(record.get("author_id")) or context.people.importer_id,
            title=text(record, "title", longest=255, required=True),
            description=text(record, "description"),
            state="closed" if record.get("state") == "closed" else "opened",
            confidential=flag(record, "confidential"),
            discussion_locked=flag_or_none(record, "discussion_locked"),
            issue_type=base_type if base_type in TYPES else "issue",
            weight=number(record, "weight"),
            milestone_id=None if milestone is None else milestone_id(context, tx, milestone),
            due_date=day(record, "due_date"),
            closed_at=moment(record, "closed_at"),
            closed_by_id=context.people.of(record.get("closed_by_id")),
            time_estimate=number(record, "time_estimate") or 0,
            relative_position=_position(context, record),
            task_count=tasks,
            task_completed_count=done,
            updated_by_id=context.people.of(record.get("updated_by_id")),
            last_edited_at=moment(record, "last_edited_at"),
            last_edited_by_id=context.people.of(record.get("last_edited_by_id")),
            health_status=text(record, "health_status", longest=32),
            external_key=text(record, "external_key", longest=255),
            imported_from="gitlab_project",
            created_at=created,
            updated_at=moment_or(record, "updated_at", created),
        )
        .returning(issues.c.id)
    ).scalar_one()
    link(context, tx, issue_labels, "issue_id", created_row, record)
    people = {context.people.of(child.get("user_id")) for child in records(record, "issue_assignees")} - {None}
    if people:
        tx.execute(
            insert(issue_assignees),
            [{"issue_id": created_row, "user_id": user_id} for user_id in sorted(people, key=str)],
        )
    _build_events(context, tx, created_row, record)
    build_events(context, tx, "Issue", created_row, record)
    counts = build_notes(context, tx, "Issue", created_row, record)
    votes = build_awards(context, tx, "Issue", created_row, record)
    spent = build_times(context, tx, "issue_id", created_row, record)
    tx.execute(
        update(issues)
        .where(issues.c.id == created_row)
        .values(user_notes_count=counts["user_notes_count"], total_time_spent=spent, **votes)
    )
    unplaced, rest = build_resource_events(context, tx, "issue_id", created_row, record)
    events = [child for child in records(record, "resource_state_events") if child.get("state") in STATES]
    children = {
        **rest,
        **context.rest_of("resource_state_events", events),
        **{name: rest for kind in KINDS for name, rest in context.rest_of(kind, records(record, kind)).items()},
    }
    context.keep_rest(tx, "issues", created_row, {**record, **unplaced}, MODELLED, children)
    if archived_iid is None:
        mark_unnumbered(context, tx, "issues", created_row)


def _position(context: ImportContext, record: Mapping[str, object]) -> int | None:
    """After the existing issues, in the order of the file; archives of this instance keep their positions."""
    if context.people.own and not context.skips_existing:
        return number(record, "relative_position")
    context.last_position += DISTANCE
    return context.last_position


def _build_events(context: ImportContext, tx: Connection, issue_id: int, record: Mapping[str, object]) -> None:
    """State events of an issue."""
    for child in records(record, "resource_state_events"):
        if child.get("state") in STATES:
            values = {
                "issue_id": issue_id,
                "user_id": context.people.of(child.get("user_id")),
                "state": child["state"],
                "created_at": moment_or(child, "created_at", context.started),
            }
            tx.execute(insert(issue_state_events).values(values))
