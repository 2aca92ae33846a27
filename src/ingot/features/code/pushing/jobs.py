"""Announcing pushes whose process died before it could."""

import logging
from datetime import timedelta

from sqlalchemy import Connection, delete, select, update

from ingot.access.tables import projects
from ingot.events import Pushed, RefChange
from ingot.features.code.pushing.hooks import apply_options, follow_merge
from ingot.features.code.pushing.later import LaterNotes
from ingot.features.code.pushing.moves import Moves, moves_of
from ingot.features.code.pushing.notes import Note, announce_push, push_notes, remove_push_note
from ingot.features.code.pushing.rows import PushNoteRow
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.jobs import Run, periodic
from ingot.kit.services import Services

log = logging.getLogger("ingot.pushes")

# Slower pushes are announced twice where that is harmless, and once where it is not.
PATIENCE = timedelta(seconds=20)
# A push that has moved nothing by then was abandoned; git itself allows an hour.
GIVEN_UP = timedelta(hours=2)
MOST_ATTEMPTS = 10
PER_RUN = 200


@periodic("push_follow_up", every=20.0)
def follow_up(run: Run) -> None:
    """Process the notes that have been idle for a while, in the order of the pushes."""
    due = select(push_notes).where(push_notes.c.taken_at < now() - PATIENCE).order_by(push_notes.c.id)
    with run.db.read() as conn:
        rows = conn.execute(due.limit(PER_RUN)).all()
    later = LaterNotes()
    for row in rows:
        run.check()
        announce_again(run.services, row, later)


def announce_again(services: Services, row: PushNoteRow, later: LaterNotes) -> None:
    """Announce the refs that moved. A push that is still under way is left alone."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == row.project_id)).one_or_none()
        moves = moves_of(services, conn, project, row, later) if project is not None else Moves()
    is_over = project is None or row.attempts >= MOST_ATTEMPTS
    if is_over or (not moves.own and row.created_at < now() - GIVEN_UP):
        with services.db.write() as tx:
            tx.execute(delete(push_notes).where(push_notes.c.id == row.id, push_notes.c.attempts == row.attempts))
        if row.attempts >= MOST_ATTEMPTS:
            log.error("a push could not be followed up", extra={"project": row.project_id, "attempts": row.attempts})
        return
    with services.db.write() as tx:
        note = _claim(tx, row, counts=bool(moves.own))
    if note is None or not moves.own:
        return
    log.warning("announcing a push again", extra={"project": row.project_id, "attempts": note.attempt})
    if row.merge_request_id is not None and follow_merge(services, row.merge_request_id, moves.own[0], note):
        return
    event = Pushed(row.project_id, row.user_id, moves.changes, tuple(row.options), moves.overtaken)
    if announce_push(services, event, note) and note.more_follows:
        _apply_push_options(services, row, moves.own)
        with services.db.write() as tx:
            remove_push_note(tx, note)


def _apply_push_options(services: Services, row: PushNoteRow, changes: tuple[RefChange, ...]) -> None:
    """Apply the merge request options of the push; a request that exists already is only updated."""
    with services.db.read() as conn:
        user = conn.execute(select(users).where(users.c.id == row.user_id)).one_or_none()
    if user is not None:
        apply_options(services, actor_of_user(user), row.project_id, changes, row.options)


def _claim(tx: Connection, row: PushNoteRow, *, counts: bool) -> Note | None:
    """Claim the note; None if another process was faster or it is done."""
    same = (push_notes.c.id == row.id) & (push_notes.c.attempts == row.attempts)
    attempt = row.attempts + (1 if counts else 0)
    if tx.execute(update(push_notes).where(same).values(attempts=attempt, taken_at=now())).rowcount == 0:
        return None
    return Note(row.id, row.created_at, attempt, more_follows=bool(row.options))
