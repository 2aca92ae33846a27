"""Discussions: threads of notes, in diffs or beside them, and their resolution."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement

from ingot.access.call import Call
from ingot.features.planning.issuables import Commentable, Noteable
from ingot.features.planning.notes import commands, entities, policy, queries
from ingot.features.planning.notes.entities import Commands, Discussion, Note, PageLoads
from ingot.features.planning.notes.params import (
    CreateDiscussion,
    EditDiscussionNote,
    OneDiscussion,
    OneDiscussionNote,
    Reply,
    ResolveDiscussion,
)
from ingot.features.planning.notes.routes.notes import edit, get_note, remove
from ingot.features.planning.notes.rows import DiscussionIdRow, NoteRow
from ingot.features.planning.notes.tables import notes
from ingot.features.planning.notes.writing import announce_change, diff_note, reply_note, shown, write
from ingot.kit.endpoint import Answer, Routes, name_handlers, with_article
from ingot.kit.errors import Forbidden, NotFound
from ingot.kit.page_pieces import LongRecord, Pieces, Present
from ingot.kit.params import Paging, combined
from ingot.kit.statements.long_texts import LongTexts, refuses_long_texts, refusing_long_texts


def _load(call: Call, noteable: Noteable, ids: Sequence[str]) -> list[Discussion]:
    rows = queries.of_discussions(call.conn, noteable, call.actor, ids)
    return entities.discussions(rows, noteable, PageLoads(call, rows))


def _present(call: Call, noteable: Noteable, ids: Sequence[str]) -> list[Discussion] | list[Discussion | LongRecord]:
    """Discussions, all at once as long as they are short."""
    if refuses_long_texts():
        return _load(call, noteable, ids)
    return [_thread_of(call, noteable, one) for one in ids]


def _thread_of(call: Call, noteable: Noteable, discussion_id: str) -> Discussion | LongRecord:
    """One discussion; of a long one the notes are read while they are sent."""
    try:
        with refusing_long_texts():
            result = _load(call, noteable, [discussion_id])
    except LongTexts:
        result = None
    if result:
        return result[0]
    if result is not None:
        raise NotFound("Discussion")
    places = queries.thread_notes(call.conn, noteable, call.actor, discussion_id)
    rows = queries.ThreadRows(call.conn, places)
    fields = {"id": discussion_id, "individual_note": rows.read(0, 1)[0].type is None}
    return LongRecord(fields, "notes", Pieces(call, rows, _notes_of(noteable), len(places)))


def _notes_of(noteable: Noteable) -> Present[Call, NoteRow]:
    def present(call: Call, rows: Sequence[NoteRow]) -> list[Note]:
        loads = PageLoads(call, rows)
        return [entities.note(row, noteable, loads) for row in rows]

    return present


def _reply(call: Call[Reply], noteable: Noteable) -> Answer:
    first = queries.first_note(call.conn, noteable, call.actor, call.params.discussion_id)
    if first is None:
        raise NotFound("Discussion")
    new = reply_note(call, noteable, first, call.params.body)
    new.created_at = call.params.created_at
    return write(call, noteable, new)


def _set_resolved(
    call: Call, noteable: Noteable, row: NoteRow | None, which: ColumnElement[bool], *, resolved: bool
) -> None:
    """`row`: the first note that can be resolved."""
    if row is None or not row.resolvable or not policy.may_resolve(call.actor, noteable, row):
        raise Forbidden
    change = commands.resolve if resolved else commands.unresolve
    with call.write() as tx:
        changed = change(tx, call.actor.id, noteable, which)
    if changed:
        announce_change(call, noteable, "resolved" if resolved else "unresolved")


def _add_resolution(routes: Routes, kind: Commentable) -> None:
    """Threads on commits and snippets cannot be resolved; all others can."""
    path = f"{kind.path}/discussions/{{discussion_id}}"

    @routes.put(path, params=combined(kind.number, ResolveDiscussion), returns=Discussion)
    def resolve_discussion(call: Call[ResolveDiscussion]) -> Answer:
        noteable = kind.find(call)
        places = queries.thread_notes(call.conn, noteable, call.actor, call.params.discussion_id)
        if not places:
            raise NotFound("Discussion")
        resolvable = queries.ThreadRows(call.conn, [row for row in places if row.resolvable])
        first = next(iter(resolvable.read(0, 1)), None)
        which = notes.c.discussion_id == call.params.discussion_id
        _set_resolved(call, noteable, first, which, resolved=call.params.resolved)
        return _thread_of(call, noteable, call.params.discussion_id)


def discussion_routes(kind: Commentable) -> Routes:
    """The endpoints of one kind of noteable."""
    routes = Routes("Discussions", guard=policy.READ_NOTES, waits=True)
    path = f"{kind.path}/discussions"
    one, one_note = f"{path}/{{discussion_id}}", f"{path}/{{discussion_id}}/notes/{{note_id}}"
    number = kind.number

    @routes.get(path, params=combined(number, Paging), returns=list[Discussion])
    def list_discussions(call: Call) -> Answer:
        noteable = kind.find(call)

        def present(page: Call, rows: Sequence[DiscussionIdRow]) -> list[Discussion] | list[Discussion | LongRecord]:
            return _present(page, noteable, [row.discussion_id for row in rows])

        return call.page(queries.discussion_ids(noteable, call.actor), present)

    @routes.get(one, params=combined(number, OneDiscussion), returns=Discussion)
    def get_discussion(call: Call[OneDiscussion]) -> Answer:
        return _thread_of(call, kind.find(call), call.params.discussion_id)

    @routes.post(path, params=combined(number, CreateDiscussion), returns=Discussion, also={202: Commands})
    def create_discussion(call: Call[CreateDiscussion]) -> Answer:
        noteable = kind.find(call)
        created = write(call, noteable, diff_note(call, noteable, call.params))
        if not isinstance(created, Note):
            return created
        return _thread_of(call, noteable, queries.get_by_id(call.conn, created.id).discussion_id)

    @routes.post(f"{one}/notes", params=combined(number, Reply), returns=Note, also={202: Commands})
    def reply_to_discussion(call: Call[Reply]) -> Answer:
        return _reply(call, kind.find(call))

    @routes.get(one_note, params=combined(number, OneDiscussionNote), returns=Note)
    def get_discussion_note(call: Call[OneDiscussionNote]) -> Answer:
        noteable = kind.find(call)
        return shown(call, noteable, _note(call, noteable).id)

    @routes.put(one_note, params=combined(number, EditDiscussionNote), returns=Note)
    def edit_discussion_note(call: Call[EditDiscussionNote]) -> Answer:
        noteable = kind.find(call)
        row = _note(call, noteable)
        if call.params.body is not None:
            return edit(call, noteable, row, call.params.body)
        _set_resolved(call, noteable, row, notes.c.id == row.id, resolved=bool(call.params.resolved))
        return shown(call, noteable, row.id)

    @routes.delete(one_note, params=combined(number, OneDiscussionNote))
    def delete_discussion_note(call: Call[OneDiscussionNote]) -> None:
        noteable = kind.find(call)
        remove(call, noteable, _note(call, noteable))

    if kind.word not in ("commit", "snippet"):
        _add_resolution(routes, kind)
    return name_handlers(
        routes,
        {
            "list_discussions": (
                f"list_{kind.word}_discussions",
                f"Discussions of {with_article(kind.title)}, oldest first.",
            ),
            "get_discussion": (f"get_{kind.word}_discussion", "One discussion with its notes."),
            "create_discussion": (
                f"create_{kind.word}_discussion",
                f"Start a thread on {with_article(kind.title)}; with `position` in its diff.",
            ),
            "reply_to_discussion": (f"reply_to_{kind.word}_discussion", "Answer in a thread."),
            "get_discussion_note": (f"get_{kind.word}_discussion_note", "One note of a thread."),
            "edit_discussion_note": (
                f"edit_{kind.word}_discussion_note",
                "Change a note of a thread, or resolve and reopen it.",
            ),
            "delete_discussion_note": (f"delete_{kind.word}_discussion_note", "Delete a note of a thread."),
            "resolve_discussion": (f"resolve_{kind.word}_discussion", "Resolve a thread, or reopen it."),
        },
    )


def _note(call: Call[OneDiscussionNote], noteable: Noteable) -> NoteRow:
    """The note of the path, which must be one of the discussion of the path."""
    row = get_note(call, noteable)
    if row.discussion_id != call.params.discussion_id:
        raise NotFound("Discussion")
    return row
