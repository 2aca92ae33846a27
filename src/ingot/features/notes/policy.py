"""Who may comment, edit, resolve and read internal notes."""

from typing import Any

from sqlalchemy import ColumnElement, true

from ingot.access.levels import DEVELOPER, GUEST, MAINTAINER, OWNER, PLANNER
from ingot.features.notes.noteables import Noteable
from ingot.features.notes.tables import notes
from ingot.kit.actor import Actor


def reads_internal(actor: Actor, project: Any) -> bool:
    """Internal notes are for planners and above."""
    return actor.is_admin or bool(project.level >= PLANNER)


def readable_notes(actor: Actor, project: Any) -> ColumnElement[bool]:
    """Condition on `notes` of a thing that the actor may read."""
    return true() if reads_internal(actor, project) else ~notes.c.internal


def _is_shut_out(actor: Actor, noteable: Noteable) -> bool:
    """A locked discussion is for members only."""
    return noteable.locked and not actor.is_admin and noteable.project.level < GUEST


def may_comment(actor: Actor, noteable: Noteable) -> bool:
    """Everyone signed in who can read it, unless the project is archived or the discussion locked."""
    if actor.is_anonymous or noteable.project.archived:
        return False
    return not _is_shut_out(actor, noteable)


def may_edit(actor: Actor, noteable: Noteable, note: Any) -> bool:
    """The note's author, and maintainers; nobody edits what the system wrote."""
    if note.system or not may_comment(actor, noteable):
        return False
    return actor.is_admin or note.author_id == actor.user_id or bool(noteable.project.level >= MAINTAINER)


def may_resolve(actor: Actor, noteable: Noteable, note: Any) -> bool:
    """Developers, the author of the thing, and who wrote the note."""
    if not may_comment(actor, noteable):
        return False
    authors = (noteable.author_id, note.author_id)
    return actor.is_admin or bool(noteable.project.level >= DEVELOPER) or actor.user_id in authors


def may_set_times(actor: Actor, project: Any) -> bool:
    """`created_at` of one's own choice: owners and administrators."""
    return actor.is_admin or bool(project.level >= OWNER)
