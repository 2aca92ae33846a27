"""Reactions: emoji that people give to issuables and notes.

For other features: `award_routes` are the endpoints of one kind of issuable, `routes_of` those of anything else.
"""

from ingot.features.planning.award_emoji.commands import award, recount_votes, voted_on, withdraw
from ingot.features.planning.award_emoji.endpoints import Awardable, AwardableKind, award_routes, routes_of
from ingot.features.planning.award_emoji.names import known_name
from ingot.features.planning.award_emoji.tables import award_emoji

__all__ = [
    "Awardable", "AwardableKind", "award", "award_emoji", "award_routes", "known_name", "recount_votes", "routes_of",
    "voted_on", "withdraw",
]  # fmt: skip
