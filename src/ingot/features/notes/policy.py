"""Who may comment, edit, resolve and read internal notes."""

from typing import Any

from sqlalchemy import ColumnElement, true

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import DEVELOPER, MAINTAINER, OWNER, PLANNER
from ingot.features.issuables import Noteable, may_comment
from ingot.features.notes.tables import notes
from ingot.kit.actor import Actor

# The project is visible; whether the thing itself is, is decided when it is found.
READ_NOTES = ProjectAbility(ability="read_note", outsiders=True, needs_user=True)


def reads_internal(actor: Actor, project: Any) -> bool:
    """Internal notes are for planners and above."""
    return actor.is_admin or bool(project.level >= PLANNER)


def readable_notes(actor: Actor, project: Any) -> ColumnElement[bool]:
    """Condition on `notes` of a thing that the actor may read."""
    return true() if reads_internal(actor, project) else ~notes.c.internal


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
