"""Reactions as pages show them: each emoji once, how many gave it, and whether the visitor did."""

from collections.abc import Sequence
from functools import cache

import msgspec

from ingot.features.planning.award_emoji import awards_of
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
    result: dict[int, dict[str, Reaction]] = {}
    for row in awards_of(call.conn, awardable_type, ids):
        names = result.setdefault(row.awardable_id, {})
        one = names.setdefault(row.name, Reaction(row.name, sign_of(row.name)))
        one.count += 1
        if row.user_id == call.actor.user_id:
            one.own = row.id
    return {key: list(names.values()) for key, names in result.items()}


@cache
def sign_of(name: str) -> str:
    """The emoji itself."""
    # Imported on first use: only reactions need its table of names.
    from rich.emoji import Emoji

    return SIGNS.get(name) or Emoji.replace(f":{name}:")


def offered_reactions() -> list[Reaction]:
    """Those that have a button."""
    return [Reaction(name, sign_of(name)) for name in OFFERED]
