"""Endpoints of reactions, made for each kind of awardable record."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Select, select

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.features.planning.award_emoji import commands
from ingot.features.planning.award_emoji.entities import AwardEmoji, present
from ingot.features.planning.award_emoji.names import known_name
from ingot.features.planning.award_emoji.policy import may_withdraw
from ingot.features.planning.award_emoji.rows import AwardEmojiRow
from ingot.features.planning.award_emoji.tables import award_emoji
from ingot.features.planning.issuables import Commentable, Noteable, may_comment
from ingot.kit.endpoint import Answer, Routes, name_handlers, with_article
from ingot.kit.errors import NotFound, RecordNotFound, Unauthorized
from ingot.kit.params import Paging, Param, Params, combined

FIND_AWARDABLE = ProjectAbility(ability="read_award_emoji", outsiders=True)


class OneAward(Params):
    """One reaction."""

    award_id: int = Param("Id of the reaction.", required=True)


class CreateAward(Params):
    """A new reaction."""

    name: str = Param("Name of the emoji, without colons.", required=True)


class Awardable(msgspec.Struct, frozen=True):
    """The target of a reaction; `noteable` is the issuable itself, or the one it belongs to."""

    type: str
    id: int
    noteable: Noteable


class AwardableKind(msgspec.Struct, frozen=True):
    """A kind of awardable record: its name, its path, its numbers in the path, and how it is found."""

    word: str
    title: str
    path: str
    numbers: tuple[type[Params], ...]
    find: Callable[[Any], Awardable]  # takes calls that have these numbers


def _awards(awardable: Awardable) -> Select[Any]:
    return select(award_emoji).where(
        award_emoji.c.awardable_type == awardable.type, award_emoji.c.awardable_id == awardable.id
    )


def _get(call: Call, awardable: Awardable, award_id: int) -> AwardEmojiRow:
    row = call.conn.execute(_awards(awardable).where(award_emoji.c.id == award_id)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def _create(call: Call[CreateAward], awardable: Awardable) -> AwardEmoji:
    if not may_comment(call.actor, awardable.noteable):
        raise NotFound("Award Emoji")
    name = known_name(call.params.name)
    if name is None:
        raise NotFound("Award Emoji Name is not a valid emoji name")
    with call.write() as tx:
        created = commands.award(tx, awardable.type, awardable.id, call.actor.id, name)
    if created is None:
        raise NotFound("Award Emoji Name has already been taken")
    return present(call, [_get(call, awardable, created)])[0]


def _delete(call: Call[OneAward], awardable: Awardable) -> None:
    row = _get(call, awardable, call.params.award_id)
    if not may_withdraw(call.actor, row):
        raise Unauthorized
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.withdraw(tx, awardable.type, awardable.id, row.id)


def award_routes(kind: Commentable) -> Routes:
    """The endpoints of one kind of issuable."""

    def find(call: Call) -> Awardable:
        noteable = kind.find(call)
        return Awardable(noteable.type, noteable.id or 0, noteable)

    return routes_of(AwardableKind(kind.word, kind.title, kind.path, (kind.number,), find))


def routes_of(kind: AwardableKind) -> Routes:
    """The endpoints of one kind of awardable record."""
    routes = Routes("Emoji reactions", guard=FIND_AWARDABLE)
    path = f"{kind.path}/award_emoji"

    @routes.get(path, params=combined(*kind.numbers, Paging), returns=list[AwardEmoji])
    def list_awards(call: Call) -> Answer:
        return call.page(_awards(kind.find(call)).order_by(award_emoji.c.id), present)

    @routes.get(f"{path}/{{award_id}}", params=combined(*kind.numbers, OneAward), returns=AwardEmoji)
    def get_award(call: Call[OneAward]) -> Answer:
        return present(call, [_get(call, kind.find(call), call.params.award_id)])[0]

    @routes.post(path, params=combined(*kind.numbers, CreateAward), returns=AwardEmoji)
    def create_award(call: Call[CreateAward]) -> Answer:
        return _create(call, kind.find(call))

    @routes.delete(f"{path}/{{award_id}}", params=combined(*kind.numbers, OneAward))
    def delete_award(call: Call[OneAward]) -> None:
        _delete(call, kind.find(call))

    word, one = kind.word, with_article(kind.title)
    return name_handlers(
        routes,
        {
            "list_awards": (f"list_{word}_award_emoji", f"Reactions to {one}, oldest first."),
            "get_award": (f"get_{word}_award_emoji", f"One reaction to {one}."),
            "create_award": (f"create_{word}_award_emoji", f"React to {one}; each emoji once."),
            "delete_award": (f"delete_{word}_award_emoji", "Remove a reaction (one's own; administrators any)."),
        },
    )
