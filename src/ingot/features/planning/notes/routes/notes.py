"""Plain notes of merge requests and issues."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.features.planning.issuables import Commentable, Noteable
from ingot.features.planning.notes import commands, policy, proposals, queries
from ingot.features.planning.notes.commands import NewNote
from ingot.features.planning.notes.commits import repository
from ingot.features.planning.notes.entities import Commands, Note, PageLoads, note
from ingot.features.planning.notes.params import CreateNote, EditNote, ListNotes, OneNote
from ingot.features.planning.notes.rows import NoteRow
from ingot.features.planning.notes.writing import announce_change, announce_text, shown, write
from ingot.kit.endpoint import Answer, Routes, name_handlers, with_article
from ingot.kit.errors import Forbidden, RecordNotFound
from ingot.kit.params import combined


def get_note(call: Call[OneNote], noteable: Noteable) -> NoteRow:
    """The note of the path, as far as the caller may read it."""
    row = queries.find_note(call.conn, noteable, call.actor, call.params.note_id)
    if row is None:
        raise RecordNotFound
    return row


def edit(call: Call, noteable: Noteable, row: NoteRow, body: str) -> Note:
    """Change the text of a note."""
    if not policy.may_edit(call.actor, noteable, row):
        raise Forbidden
    commands.check_body(body)
    proposed = proposals.proposed(repository(call), body, row.position) if row.position else []
    with call.write() as tx:
        commands.edit_note(tx, call.actor.id, noteable, row, body, proposed)
    if body != row.body and not row.internal:
        announce_text(call, noteable, body)
    return shown(call, noteable, row.id)


def remove(call: Call, noteable: Noteable, row: NoteRow) -> None:
    """Delete a note."""
    if not policy.may_edit(call.actor, noteable, row):
        raise Forbidden
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.delete_note(tx, call.actor.id, noteable, row)
    if row.resolvable and row.resolved_at is None:
        announce_change(call, noteable, "resolved")


def note_routes(kind: Commentable) -> Routes:
    """The endpoints of one kind of noteable."""
    routes = Routes("Notes", guard=policy.READ_NOTES)
    path = f"{kind.path}/notes"

    @routes.get(path, params=combined(kind.number, ListNotes), returns=list[Note])
    def list_notes(call: Call[ListNotes]) -> Answer:
        noteable = kind.find(call)

        def present(page: Call, rows: Sequence[NoteRow]) -> list[Note]:
            loads = PageLoads(page, rows)
            return [note(row, noteable, loads) for row in rows]

        return call.page(queries.listed(noteable, call.actor, call.params), present)

    @routes.get(f"{path}/{{note_id}}", params=combined(kind.number, OneNote), returns=Note)
    def get_one_note(call: Call[OneNote]) -> Answer:
        noteable = kind.find(call)
        return shown(call, noteable, get_note(call, noteable).id)

    @routes.post(path, params=combined(kind.number, CreateNote), returns=Note, also={202: Commands})
    def create_one_note(call: Call[CreateNote]) -> Answer:
        options = call.params
        internal = options.internal if options.internal is not None else options.confidential
        return write(
            call, kind.find(call), NewNote(options.body, internal=bool(internal), created_at=options.created_at)
        )

    @routes.put(f"{path}/{{note_id}}", params=combined(kind.number, EditNote), returns=Note)
    def edit_one_note(call: Call[EditNote]) -> Answer:
        noteable = kind.find(call)
        row = get_note(call, noteable)
        return edit(call, noteable, row, row.body if call.params.body is None else call.params.body)

    @routes.delete(f"{path}/{{note_id}}", params=combined(kind.number, OneNote))
    def delete_one_note(call: Call[OneNote]) -> None:
        noteable = kind.find(call)
        remove(call, noteable, get_note(call, noteable))

    return name_handlers(
        routes,
        {
            "list_notes": (f"list_{kind.word}_notes", f"Notes of {with_article(kind.title)}, newest first."),
            "get_one_note": (f"get_{kind.word}_note", f"One note of {with_article(kind.title)}."),
            "create_one_note": (
                f"create_{kind.word}_note",
                f"Comment on {with_article(kind.title)}. A comment of nothing but quick actions is answered with 202.",
            ),
            "edit_one_note": (f"edit_{kind.word}_note", "Change a note (its author, and maintainers)."),
            "delete_one_note": (f"delete_{kind.word}_note", "Delete a note (its author, and maintainers)."),
        },
    )
