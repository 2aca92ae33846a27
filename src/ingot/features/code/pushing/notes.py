"""Notes of pushes: written before refs move, and removed after the push was announced.

A process that dies in between leaves its note, and a periodic job announces the push again. Listeners do the same twice
without harm; what must happen once asks `may_follow` inside its transaction, so that of two that announce one push (the
job, and a process that was only paused) one does it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

import msgspec
from sqlalchemy import Column, Connection, ForeignKey, Index, Integer, Table, bindparam, delete, insert, update

from ingot.events import ZERO_SHA, Pushed
from ingot.features.code.push_rules import require_obedience
from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.clock import now
from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.events import announce
from ingot.kit.services import Services

push_notes = Table(
    "push_notes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("refs", Json, nullable=False),  # full name -> what it points to before it moves, zeroes for a new one
    Column("moved_to", Json, nullable=True),  # full name -> what it points to afterwards, where that is known before
    Column("options", Json, nullable=False),
    Column("merge_request_id", Id, nullable=True, index=True),  # the move is a merge
    Column("attempts", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("taken_at", UtcDateTime, nullable=False),  # when it was last claimed
    sqlite_autoincrement=True,
)
Index("ix_push_notes_taken_at", push_notes.c.taken_at)


class Note(msgspec.Struct, frozen=True):
    """A push that is about to be announced."""

    id: int
    noted_at: datetime
    attempt: int = 0
    more_follows: bool = False  # more than the announcement follows, so it is not removed with it

    @property
    def is_repeated(self) -> bool:
        """Another process began to announce it before."""
        return self.attempt > 0


_current: ContextVar[Note | None] = ContextVar("push_note", default=None)


def current_note() -> Note | None:
    """The push that is being announced in this thread."""
    return _current.get()


_NOTE = insert(push_notes).returning(push_notes.c.id)
_TICK_OFF = delete(push_notes).where(push_notes.c.id == bindparam("id"), push_notes.c.attempts == bindparam("attempt"))
_HOLD = (
    update(push_notes)
    .where(push_notes.c.id == bindparam("note_id"), push_notes.c.attempts == bindparam("attempt"))
    .values(attempts=push_notes.c.attempts)
)


def note_push(
    tx: Connection,
    project_id: int,
    user_id: int | None,
    refs: Mapping[str, str],
    moved_to: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    merge_request_id: int | None = None,
) -> Note:
    """Store that these refs are about to move from their current values, and their new values if known."""
    moment = now()
    values = {
        "project_id": project_id,
        "user_id": user_id,
        "refs": dict(refs),
        "moved_to": None if moved_to is None else dict(moved_to),
        "options": list(options),
        "merge_request_id": merge_request_id,
        "attempts": 0,
        "created_at": moment,
        "taken_at": moment,
    }
    created = tx.execute(_NOTE, values).scalar_one()
    return Note(created, moment, more_follows=merge_request_id is not None)


def remove_push_note(tx: Connection, note: Note | None) -> None:
    """Remove the note: everything is done, or nothing moved."""
    if note is not None:
        tx.execute(_TICK_OFF, {"id": note.id, "attempt": note.attempt})


def remove_merge_note(tx: Connection, merge_request_id: int) -> None:
    """The merge did not take place."""
    tx.execute(delete(push_notes).where(push_notes.c.merge_request_id == merge_request_id))


def may_follow(tx: Connection) -> bool:
    """Whether this process still owns the push; locked until this transaction ends."""
    note = _current.get()
    if note is None:
        return True
    return tx.execute(_HOLD, {"note_id": note.id, "attempt": note.attempt}).rowcount == 1


@contextmanager
def announcing(note: Note | None) -> Iterator[None]:
    """Mark the code inside as following from this push."""
    token = _current.set(note)
    try:
        yield
    finally:
        _current.reset(token)


def announce_push(services: Services, event: Pushed, note: Note | None) -> bool:
    """Announce the push; the last listener removes the note unless more follows. Returns whether all succeeded."""
    with announcing(note):
        return announce(services, event)


Find = Callable[[str], str | None]  # where a ref points to now


class Noting:
    """The note of a single ref move: written just before it, and again if another push came between."""

    def __init__(self, services: Services, project_id: int, user_id: int | None) -> None:
        self._services, self._project_id, self._user_id = services, project_id, user_id
        self.note: Note | None = None
        self.move: tuple[str, str, str] | None = None

    def about_to_move(self, ref: str, old: str, new: str) -> None:
        """Write the note: the ref moves next, unless the project's push rule forbids it."""
        require_obedience(self._services, self._project_id, self._user_id, {ref: new})
        with self._services.db.write() as tx:
            remove_push_note(tx, self.note)
            self.note = note_push(tx, self._project_id, self._user_id, {ref: old}, {ref: new})
        self.move = (ref, old, new)


@contextmanager
def noting(services: Services, project_id: int, user_id: int | None, find: Find) -> Iterator[Noting]:
    """One ref is moved inside, noted just before; a failure before it moved takes the note back."""
    noting_push = Noting(services, project_id, user_id)
    try:
        yield noting_push
    except Exception as error:
        if noting_push.move is not None:
            ref, old, new = noting_push.move
            _take_back(services, noting_push.note, error, find, {ref: old}, {ref: new})
        raise


@contextmanager
def moving(
    services: Services,
    project_id: int,
    user_id: int | None,
    refs: Mapping[str, str],
    moved_to: Mapping[str, str] | None,
    find: Find,
) -> Iterator[Note]:
    """Refs are moved inside; a failure before any of them moved takes the note back. The push rule is asked first."""
    require_obedience(services, project_id, user_id, moved_to or {})
    with services.db.write() as tx:
        note = note_push(tx, project_id, user_id, refs, moved_to)
    try:
        yield note
    except Exception as error:
        _take_back(services, note, error, find, refs, moved_to or {})
        raise


def _take_back(
    services: Services,
    note: Note | None,
    error: Exception,
    find: Find,
    refs: Mapping[str, str],
    moved_to: Mapping[str, str],
) -> None:
    """Remove the note if nothing moved; otherwise it stays for the job that announces again."""
    was_refused = _was_refused(error)
    for ref, old in refs.items():
        present, new = find(ref) or ZERO_SHA, moved_to.get(ref)
        if present == old:
            continue
        # Of two that create or delete the same ref, the refused one also finds the requested state.
        if was_refused and (present != new or ZERO_SHA in (old, new)):
            continue
        return
    with services.db.write() as tx:
        remove_push_note(tx, note)


def _was_refused(error: BaseException | None) -> bool:
    """Git did not move the ref because a concurrent request was faster; the error may have been translated since."""
    while error is not None:
        if getattr(error, "moved_nothing", False):
            return True
        error = error.__context__
    return False
