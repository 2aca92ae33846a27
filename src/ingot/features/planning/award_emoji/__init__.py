"""Reactions: emoji that people give to issuables and notes.

For other features: `award_routes` are the endpoints of one kind of issuable, `routes_of` those of anything else.
"""

from ingot.features.planning.award_emoji.commands import award, withdraw
from ingot.features.planning.award_emoji.endpoints import Awardable, AwardableKind, award_routes, routes_of
from ingot.features.planning.award_emoji.names import known_name
from ingot.features.planning.award_emoji.queries import awards_among
from ingot.features.planning.award_emoji.tables import award_emoji

__all__ = [
    "Awardable", "AwardableKind", "award", "award_emoji", "award_routes", "awards_among", "known_name", "routes_of",
    "withdraw",
]  # fmt: skip
