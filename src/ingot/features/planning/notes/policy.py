"""Who may comment, edit, resolve and read internal notes."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, exists, func, literal, or_, select, true

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import DEVELOPER, MAINTAINER, OWNER, PLANNER, REPORTER
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.access.visibility import feature_readable, visible_projects
from ingot.features.planning.issuables import Noteable, get_kind, kinds, may_comment
from ingot.features.planning.notes.rows import NoteRow
from ingot.features.planning.notes.tables import notes
from ingot.kit.actor import Actor

# Checks the project; the noteable itself is checked when it is loaded.
READ_NOTES = ProjectAbility(ability="read_note", outsiders=True, needs_user=True)


def reads_internal(actor: Actor, project: Project) -> bool:
    """Internal notes are for planners and above."""
    return actor.is_admin or bool(project.level >= PLANNER)


def readable_notes(actor: Actor, project: Project) -> ColumnElement[bool]:
    """Condition on `notes` of a noteable that the actor may read."""
    if actor.is_admin:
        return true()
    condition = true() if reads_internal(actor, project) else ~notes.c.internal
    condition = and_(condition, or_(notes.c.source_type.is_(None), _knows_source(actor)))
    if project.level >= REPORTER:
        return condition
    # Users who may not read merge requests do not learn that one mentions the issue.
    readable = get_kind("MergeRequest").readable(actor)
    reads_requests = exists().where(projects.c.id == notes.c.project_id, readable)
    return and_(condition, or_(func.coalesce(notes.c.system_action, "") != "cross_reference", reads_requests))


def _knows_source(actor: Actor) -> ColumnElement[bool]:
    """Notes that refer to another project are shown to those who may read the source there."""
    conditions = []
    for kind in kinds():
        here = (notes.c.source_type == kind.type, kind.table.c.id == notes.c.source_id)
        source = select(literal(1)).join_from(kind.table, projects, projects.c.id == kind.table.c.project_id)
        conditions.append(source.where(*here, kind.readable(actor)).correlate(notes).exists())
    reads_code = and_(visible_projects(actor), feature_readable(actor, "repository", REPORTER))
    commits = (notes.c.source_type == "Commit", projects.c.id == notes.c.source_id)
    conditions.append(select(literal(1)).select_from(projects).where(*commits, reads_code).correlate(notes).exists())
    return or_(*conditions)


def may_edit(actor: Actor, noteable: Noteable, note: NoteRow) -> bool:
    """The note's author, and maintainers; nobody edits what the system wrote."""
    if note.system or not may_comment(actor, noteable):
        return False
    return may_edit_of(actor, noteable.project, note.author_id)


def may_edit_of(actor: Actor, project: Project, author: int | None) -> bool:
    """Of those who may comment: who wrote the note, and maintainers."""
    return actor.is_admin or author == actor.user_id or bool(project.level >= MAINTAINER)


def may_resolve(actor: Actor, noteable: Noteable, note: NoteRow) -> bool:
    """Developers, the author of the noteable, and who wrote the note."""
    authors = (noteable.author_id, note.author_id)
    return may_comment(actor, noteable) and may_resolve_among(actor, noteable.project, authors)


def may_resolve_among(actor: Actor, project: Project, authors: Collection[int | None]) -> bool:
    """Of those who may comment: developers and these people."""
    return actor.is_admin or bool(project.level >= DEVELOPER) or actor.user_id in authors


def may_set_times(actor: Actor, project: Project) -> bool:
    """Owners and administrators may set `created_at`."""
    return actor.is_admin or bool(project.level >= OWNER)
