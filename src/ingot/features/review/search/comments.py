"""Comments on issues, merge requests, commits and snippets."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, literal, or_, select, true

from ingot.access.call import Call
from ingot.access.levels import PLANNER, REPORTER
from ingot.access.tables import projects
from ingot.access.visibility import feature_readable, is_member, visible_projects
from ingot.features.planning.issuables import kinds
from ingot.features.planning.notes import Note, NoteRow, notes, notes_by_id
from ingot.features.review.search.params import Search
from ingot.features.review.search.places import in_place
from ingot.features.review.search.results import Result
from ingot.features.spaces.snippets import readable_snippets, snippets
from ingot.kit.actor import Actor
from ingot.kit.letter_case import contains


def find_notes(call: Call[Search]) -> Result:
    """Comments whose text contains the query, last changed first; what the system wrote is left out."""
    matching = contains(notes.c.body, call.params.search.strip())
    rows = (
        select(notes.c.id)
        .join_from(notes, projects, projects.c.id == notes.c.project_id)
        .where(*in_place(call), ~notes.c.system, _readable(call.actor), matching)
        .order_by(notes.c.updated_at.desc(), notes.c.id.desc())
    )
    return Result(rows, _present)


def _readable(actor: Actor) -> ColumnElement[bool]:
    """Condition on `notes` with their `projects`: the subject can be read, and internal comments by planners only."""
    subjects = [_on_commit(actor), _on_snippet(actor)]
    for kind in kinds():
        here = (notes.c.noteable_type == kind.type, kind.table.c.id == notes.c.noteable_id, kind.readable(actor))
        subjects.append(select(literal(1)).select_from(kind.table).where(*here).correlate(notes, projects).exists())
    open_to_actor = true() if actor.is_admin else or_(~notes.c.internal, is_member(actor, PLANNER))
    return and_(visible_projects(actor), open_to_actor, or_(*subjects))


def _on_commit(actor: Actor) -> ColumnElement[bool]:
    return and_(notes.c.noteable_type == "Commit", feature_readable(actor, "repository", REPORTER))


def _on_snippet(actor: Actor) -> ColumnElement[bool]:
    here = (notes.c.noteable_type == "Snippet", snippets.c.id == notes.c.noteable_id, readable_snippets(actor))
    return select(literal(1)).select_from(snippets).where(*here).correlate(notes, projects).exists()


def _present(call: Call, rows: Sequence[NoteRow]) -> list[Note]:
    ids = [row.id for row in rows]
    shown = notes_by_id(call, ids)
    return [shown[number] for number in ids]
