"""Moving and cloning issues to another project."""

from sqlalchemy import Connection, insert, select, update

from ingot.access.call import Call
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project, find_project
from ingot.features.planning.issuables import Target
from ingot.features.planning.issues import lookup, policy, queries
from ingot.features.planning.issues.commands import close_issue
from ingot.features.planning.issues.editing import IssueOptions, open_issue
from ingot.features.planning.issues.entities import Issue
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import present_single
from ingot.features.planning.issues.rows import IssueRow
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issues
from ingot.features.planning.labels import ADMIN_LABELS, labels
from ingot.features.planning.notes import add_system_note, new_discussion_id, notes, recount
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure, NotFound
from ingot.kit.params import Param

routes = Routes("Issues", guard=policy.FIND_ISSUE)
PATH = "/projects/{id}/issues/{issue_iid}"


class MoveIssue(OneIssue):
    """Where to."""

    to_project_id: int = Param("Id of the new project.", required=True)


class CloneIssue(MoveIssue):
    """Where to, and with what."""

    with_notes: bool = Param("Copy the comments too.", default=False)


def _target(call: Call) -> Project:
    project = find_project(call.conn, call.actor, call.params.to_project_id)
    if project is None:
        raise NotFound("Project")
    return project


def _copy(call: Call, tx: Connection, row: IssueRow, project: Project, *, with_notes: bool) -> int:
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
        manages=policy.may_admin(call.actor, project),
        creates_labels=ADMIN_LABELS.held(call.actor, project),
        is_paid=True,
    )
    created = open_issue(tx, call.actor, project, options)
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
    """How notes in the project `reader` name an issue elsewhere: not at all where fewer people may see that place."""
    return f"{project.full_path}#{iid}" if project.visibility >= reader.visibility else "another project"


@routes.post(f"{PATH}/move", params=MoveIssue, returns=Issue)
def move_issue(call: Call[MoveIssue]) -> Answer:
    """Move an issue to another project: it is copied with its comments, and closed here."""
    row, project = lookup.find_issue(call), _target(call)
    if row.moved_to_id is not None or project.id == call.project.id:
        raise Failure(400, "Cannot move issue to project it originates from!")
    if not policy.may_admin(call.actor, call.project) or not policy.may_admin(call.actor, project):
        raise Failure(400, "Cannot move issue due to insufficient permissions!")
    with call.write() as tx:
        created = _copy(call, tx, row, project, with_notes=True)
        fresh = queries.get_by_id(tx, created)
        tx.execute(
            update(issues)
            .where(issues.c.id == created)
            .values(author_id=row.author_id, created_at=row.created_at, time_estimate=row.time_estimate)
        )
        close_issue(tx, row.id, call.actor.user_id)
        tx.execute(update(issues).where(issues.c.id == row.id).values(moved_to_id=created))
        here, there = Target("Issue", row.id, call.project.id), Target("Issue", created, project.id)
        add_system_note(
            tx, here, call.actor.user_id, "moved", f"moved to {_reference(project, fresh.iid, call.project)}"
        )
        add_system_note(
            tx, there, call.actor.user_id, "moved", f"moved from {_reference(call.project, row.iid, project)}"
        )
    call.project = project
    return present_single(call, queries.get_by_id(call.conn, created))


@routes.post(f"{PATH}/clone", params=CloneIssue, returns=Issue)
def clone_issue(call: Call[CloneIssue]) -> Answer:
    """Copy an issue to this or another project (who may plan both)."""
    row, project = lookup.find_issue(call), _target(call)
    # Who may not plan here must not take along the internal comments either.
    if not policy.may_admin(call.actor, call.project) or not policy.may_admin(call.actor, project):
        raise Failure(400, "Cannot clone issue due to insufficient permissions!")
    with call.write() as tx:
        created = _copy(call, tx, row, project, with_notes=call.params.with_notes)
        there = Target("Issue", created, project.id)
        add_system_note(
            tx, there, call.actor.user_id, "cloned", f"cloned from {_reference(call.project, row.iid, project)}"
        )
    call.project = project
    return present_single(call, queries.get_by_id(call.conn, created))
