"""Reactions as pages show them: each emoji once, how many gave it, and whether the visitor did."""

from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from ingot.features.planning.award_emoji import awards_among
from ingot.web.call import PageCall

OFFERED = ("thumbsup", "thumbsdown", "heart", "tada", "eyes", "rocket")
# Names that the table of emoji does not have.
SIGNS = {"thumbsup": "👍", "thumbsdown": "👎"}


class Reaction(msgspec.Struct):
    """One emoji of a comment, issue or merge request."""

    name: str
    sign: str
    count: int = 0
    own: int | None = None  # the visitor's, by its id


def reactions_to(call: PageCall, awardable_type: str, ids: Sequence[int]) -> dict[int, list[Reaction]]:
    """By record, those that somebody gave."""
    return reactions_among(call, {awardable_type: ids})[awardable_type]


def reactions_among(call: PageCall, wanted: Mapping[str, Sequence[int]]) -> dict[str, dict[int, list[Reaction]]]:
    """As `reactions_to`, for records of several types, by type and record."""
    result: dict[str, dict[int, dict[str, Reaction]]] = {name: {} for name in wanted}
    for row in awards_among(call.conn, wanted):
        names = result[row.awardable_type].setdefault(row.awardable_id, {})
        one = names.setdefault(row.name, Reaction(row.name, sign_of(row.name)))
        one.count += 1
        if row.user_id == call.actor.user_id:
            one.own = row.id
    return {kind: {key: list(names.values()) for key, names in rows.items()} for kind, rows in result.items()}


@cache
def sign_of(name: str) -> str:
    """The emoji itself."""
    # Imported on first use: only reactions need its table of names.
    from rich.emoji import Emoji

    return SIGNS.get(name) or Emoji.replace(f":{name}:")


def offered_reactions() -> list[Reaction]:
    """Those that have a button."""
    return [Reaction(name, sign_of(name)) for name in OFFERED]
