"""Issues with everything below them."""

from typing import Any

from sqlalchemy import Connection, insert, update

from ingot.features.issues import issue_assignees, issue_labels, issues
from ingot.features.project_imports.builders.labels import link
from ingot.features.project_imports.builders.milestones import milestone_id
from ingot.features.project_imports.builders.notes import build_awards, build_notes, build_times
from ingot.features.project_imports.context import ImportContext
from ingot.features.project_imports.values import (
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
from ingot.kit.counters import next_value, raise_to

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
    ]
)
TYPES = ("issue", "incident", "test_case", "requirement", "task", "ticket")


def build(context: ImportContext, tx: Connection, record: dict[str, Any]) -> None:
    """A line of `issues`."""
    wanted = iid(record)
    if context.skips_existing and wanted in context.existing_iids:
        return
    owner = f"project:{context.project.id}"
    if wanted is None:
        wanted = next_value(tx, owner, "issues")
    else:
        raise_to(tx, owner, "issues", wanted)
    created = moment_or(record, "created_at", context.started)
    base_type = (one(record, "work_item_type") or {}).get("base_type") or record.get("issue_type")
    milestone = one(record, "milestone")
    made = tx.execute(
        insert(issues)
        .values(
            iid=wanted,
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
            relative_position=number(record, "relative_position"),
            imported_from="gitlab_project",
            created_at=created,
            updated_at=moment_or(record, "updated_at", created),
        )
        .returning(issues.c.id)
    ).scalar_one()
    link(context, tx, issue_labels, "issue_id", made, record)
    people = {context.people.of(child.get("user_id")) for child in records(record, "issue_assignees")} - {None}
    if people:
        tx.execute(
            insert(issue_assignees), [{"issue_id": made, "user_id": user_id} for user_id in sorted(people, key=str)]
        )
    counts = build_notes(context, tx, "Issue", made, record)
    votes = build_awards(context, tx, "Issue", made, record)
    spent = build_times(context, tx, "issue_id", made, record)
    tx.execute(
        update(issues)
        .where(issues.c.id == made)
        .values(user_notes_count=counts["user_notes_count"], total_time_spent=spent, **votes)
    )
    context.keep_rest(tx, "issues", made, record, MODELLED)
