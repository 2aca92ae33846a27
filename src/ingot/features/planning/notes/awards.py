"""Reactions to notes."""

from ingot.access.call import Call
from ingot.features.planning.award_emoji import Awardable, AwardableKind, routes_of
from ingot.features.planning.issuables import Commentable
from ingot.features.planning.notes.params import OneNote
from ingot.features.planning.notes.queries import find_note
from ingot.kit.endpoint import Routes, with_article
from ingot.kit.errors import RecordNotFound


def note_award_routes(kind: Commentable) -> Routes:
    """Endpoints of the reactions to notes of one kind of noteable."""

    def find(call: Call[OneNote]) -> Awardable:
        noteable = kind.find(call)
        note = find_note(call.conn, noteable, call.actor, call.params.note_id)
        if note is None:
            raise RecordNotFound
        return Awardable("Note", note.id, noteable)

    title, path = f"note of {with_article(kind.title)}", f"{kind.path}/notes/{{note_id}}"
    return routes_of(AwardableKind(f"{kind.word}_note", title, path, (kind.number, OneNote), find))
