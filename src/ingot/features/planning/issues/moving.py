"""Moving and copying issues to another project."""

from sqlalchemy import Connection, insert, select, update

from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.features.planning.issuables import Target
from ingot.features.planning.issues import policy, queries
from ingot.features.planning.issues.commands import close_issue
from ingot.features.planning.issues.editing import IssueOptions, open_issue
from ingot.features.planning.issues.rows import IssueRow
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issues
from ingot.features.planning.labels import ADMIN_LABELS, labels
from ingot.features.planning.notes import add_system_note, new_discussion_id, notes, recount
from ingot.kit.actor import Actor


def move(tx: Connection, actor: Actor, row: IssueRow, source: Project, target: Project) -> int:
    """Copy the issue with its comments and close it here; returns the id of the new one."""
    created = _copy(tx, actor, row, target, with_notes=True)
    tx.execute(
        update(issues)
        .where(issues.c.id == created)
        .values(author_id=row.author_id, created_at=row.created_at, time_estimate=row.time_estimate)
    )
    close_issue(tx, row.id, actor.user_id)
    tx.execute(update(issues).where(issues.c.id == row.id).values(moved_to_id=created))
    iid = queries.get_by_id(tx, created).iid
    here, there = Target("Issue", row.id, source.id), Target("Issue", created, target.id)
    add_system_note(tx, here, actor.user_id, "moved", f"moved to {_reference(target, iid, source)}")
    add_system_note(tx, there, actor.user_id, "moved", f"moved from {_reference(source, row.iid, target)}")
    return created


def clone(tx: Connection, actor: Actor, row: IssueRow, source: Project, target: Project, *, with_notes: bool) -> int:
    """Copy the issue; returns the id of the new one."""
    created = _copy(tx, actor, row, target, with_notes=with_notes)
    there = Target("Issue", created, target.id)
    add_system_note(tx, there, actor.user_id, "cloned", f"cloned from {_reference(source, row.iid, target)}")
    return created


def _copy(tx: Connection, actor: Actor, row: IssueRow, project: Project, *, with_notes: bool) -> int:
    """The same issue in another project; labels go along by name."""
    named = tx.execute(
        select(labels.c.name)
        .join_from(issue_labels, labels, labels.c.id == issue_labels.c.label_id)
        .where(issue_labels.c.issue_id == row.id)
    ).scalars()
    people = tx.execute(select(issue_assignees.c.user_id).where(issue_assignees.c.issue_id == row.id)).scalars()
    given = {
        "title": row.title,
        "description": row.description,
        "confidential": row.confidential,
        "issue_type": row.issue_type,
        "due_date": row.due_date,
        "weight": row.weight,
        "labels": list(named),
        "assignee_ids": list(people),
        "milestone_id": row.milestone_id,
    }
    options = IssueOptions(
        given=given,
        manages=policy.may_admin(actor, project),
        creates_labels=ADMIN_LABELS.allows(actor, project),
        is_paid=True,
    )
    created = open_issue(tx, actor, project, options)
    if with_notes:
        _copy_notes(tx, row.id, created, project.id)
    return created


def _copy_notes(tx: Connection, old_id: int, new_id: int, project_id: int) -> None:
    threads: dict[str, str] = {}
    here = (notes.c.noteable_type == "Issue") & (notes.c.noteable_id == old_id)
    for note in tx.execute(select(notes).where(here).order_by(notes.c.id)).all():
        values = {column.name: getattr(note, column.name) for column in notes.c if column.name != "id"}
        thread = threads.setdefault(note.discussion_id, new_discussion_id())
        tx.execute(
            insert(notes).values({**values, "noteable_id": new_id, "project_id": project_id, "discussion_id": thread})
        )
    recount(tx, "Issue", new_id)


def _reference(project: ProjectRow, iid: int, reader: ProjectRow) -> str:
    """The reference to an issue in notes of the project `reader`; none if fewer users may see the issue's project."""
    return f"{project.full_path}#{iid}" if project.visibility >= reader.visibility else "another project"
