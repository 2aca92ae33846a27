"""Comments on commits in the older form: a text, and optionally a path and a line."""

from collections.abc import Sequence
from typing import ClassVar

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.planning.issuables import may_comment
from ingot.features.planning.notes import queries
from ingot.features.planning.notes.commands import NewNote, check_body, create_note
from ingot.features.planning.notes.commits import COMMIT, OneCommit, repository
from ingot.features.planning.notes.entities import CommitComment, PageLoads, commit_comment
from ingot.features.planning.notes.positions import LinePosition, commit_position
from ingot.features.planning.notes.rows import NoteRow
from ingot.features.planning.notes.tables import notes
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden
from ingot.kit.params import Paging, Param

routes = Routes("Commits", guard=READ_CODE, waits=True)


class ListComments(OneCommit, Paging):
    """The comments of a commit."""


class CreateComment(OneCommit):
    """A new comment."""

    note: str = Param("The comment.", required=True)
    path: str | None = Param("Path of the file.")
    line: int | None = Param("Line number.")
    line_type: str | None = Param("`new` or `old`.", one_of=("new", "old"))
    all_or_none: ClassVar[tuple[tuple[str, ...], ...]] = (("path", "line", "line_type"),)


def _present(call: Call, rows: Sequence[NoteRow]) -> list[CommitComment]:
    loads = PageLoads(call, rows)
    return [commit_comment(row, loads) for row in rows]


@routes.get(f"{COMMIT.path}/comments", params=ListComments, returns=list[CommitComment])
def list_commit_comments(call: Call[ListComments]) -> Answer:
    """Comments on a commit, oldest first."""
    noteable = COMMIT.find(call)
    query = select(notes).where(queries.notes_of(noteable), ~notes.c.system)
    return call.page(query.order_by(notes.c.created_at, notes.c.id), _present)


@routes.post(f"{COMMIT.path}/comments", params=CreateComment, returns=CommitComment)
def create_commit_comment(call: Call[CreateComment]) -> Answer:
    """Comment on a commit, or on a line of its diff."""
    options, noteable = call.params, COMMIT.find(call)
    if not may_comment(call.actor, noteable):
        raise Forbidden
    check_body(options.note)
    new = NewNote(options.note)
    if options.path and noteable.commit_id and options.line is not None and options.line_type is not None:
        line = LinePosition(path=options.path, line=options.line, line_type=options.line_type)
        new.type = "DiffNote"
        new.position, new.line_code = commit_position(repository(call), noteable.commit_id, line)
    with call.write() as tx:
        created = create_note(tx, call.actor.id, noteable, new)
    return _present(call, [queries.get_by_id(call.conn, created)])[0]
