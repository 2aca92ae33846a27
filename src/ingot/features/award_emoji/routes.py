"""Endpoints of reactions, made for merge requests, issues, and the notes of both."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from ingot.access.abilities import ProjectAbility
from ingot.features.award_emoji import commands
from ingot.features.award_emoji.entities import AwardEmoji, present
from ingot.features.award_emoji.names import known_name
from ingot.features.award_emoji.tables import award_emoji
from ingot.features.notes.noteables import ISSUE, MERGE_REQUEST, Kind, Noteable
from ingot.features.notes.params import OneNote, combined
from ingot.features.notes.policy import may_comment
from ingot.features.notes.queries import find_note
from ingot.features.notes.routes.notes import named
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound, RecordNotFound, Unauthorized
from ingot.kit.params import Paging, Param, Params

FIND_AWARDABLE = ProjectAbility(ability="read_award_emoji", outsiders=True)


class OneAward(Params):
    """One reaction."""

    award_id: int = Param("Id of the reaction.", required=True)


class CreateAward(Params):
    """A new reaction."""

    name: str = Param("Name of the emoji, without colons.", required=True)


@dataclass(frozen=True, slots=True)
class Awardable:
    """What is reacted to."""

    type: str
    id: int
    noteable: Noteable


def _find(call: Call, kind: Kind) -> Awardable:
    noteable = kind.find(call)
    if "note_id" not in type(call.params).fields:
        return Awardable(noteable.type, noteable.id or 0, noteable)
    note = find_note(call.conn, noteable, call.actor, call.params.note_id)
    if note is None:
        raise RecordNotFound
    return Awardable("Note", note.id, noteable)


def _awards(thing: Awardable) -> Any:
    return select(award_emoji).where(award_emoji.c.awardable_type == thing.type, award_emoji.c.awardable_id == thing.id)


def _get(call: Call, thing: Awardable, award_id: int) -> Any:
    row = call.conn.execute(_awards(thing).where(award_emoji.c.id == award_id)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def _create(call: Call, thing: Awardable) -> AwardEmoji:
    if not may_comment(call.actor, thing.noteable):
        raise NotFound("Award Emoji")
    name = known_name(call.params.name)
    if name is None:
        raise NotFound("Award Emoji Name is not a valid emoji name")
    with call.write() as tx:
        made = commands.award(tx, thing.type, thing.id, call.actor.id, name)
    if made is None:
        raise NotFound("Award Emoji Name has already been taken")
    return present(call, [_get(call, thing, made)])[0]


def _delete(call: Call, thing: Awardable) -> None:
    row = _get(call, thing, call.params.award_id)
    if row.user_id != call.actor.user_id and not call.actor.is_admin:
        raise Unauthorized
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.withdraw(tx, thing.type, thing.id, row.id)


def award_routes(kind: Kind, *, of_notes: bool) -> Routes:
    """The endpoints of one kind of thing, or of its notes."""
    routes = Routes("Emoji reactions", guard=FIND_AWARDABLE)
    number: tuple[type[Params], ...] = (kind.number, OneNote) if of_notes else (kind.number,)
    path = f"{kind.path}/notes/{{note_id}}/award_emoji" if of_notes else f"{kind.path}/award_emoji"

    @routes.get(path, params=combined(*number, Paging), returns=list[AwardEmoji])
    def list_awards(call: Call) -> Answer:
        return call.page(_awards(_find(call, kind)).order_by(award_emoji.c.id), present)

    @routes.get(f"{path}/{{award_id}}", params=combined(*number, OneAward), returns=AwardEmoji)
    def get_award(call: Call) -> Answer:
        return present(call, [_get(call, _find(call, kind), call.params.award_id)])[0]

    @routes.post(path, params=combined(*number, CreateAward), returns=AwardEmoji)
    def create_award(call: Call) -> Answer:
        return _create(call, _find(call, kind))

    @routes.delete(f"{path}/{{award_id}}", params=combined(*number, OneAward))
    def delete_award(call: Call) -> None:
        _delete(call, _find(call, kind))

    word = f"{kind.word}_note" if of_notes else kind.word
    title = f"note of a {kind.title}" if of_notes else kind.title
    return named(
        routes,
        {
            "list_awards": (f"list_{word}_award_emoji", f"Reactions to a {title}, oldest first."),
            "get_award": (f"get_{word}_award_emoji", f"One reaction to a {title}."),
            "create_award": (f"create_{word}_award_emoji", f"React to a {title}; each emoji once."),
            "delete_award": (f"delete_{word}_award_emoji", "Take a reaction back (one's own; administrators any)."),
        },
    )


ROUTES = [award_routes(kind, of_notes=of_notes) for kind in (MERGE_REQUEST, ISSUE) for of_notes in (False, True)]
