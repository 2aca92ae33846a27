"""Reactions: emoji that people give to merge requests, issues and notes."""

from ingot.features.award_emoji.commands import award, recount_votes, voted_on, withdraw
from ingot.features.award_emoji.names import known_name
from ingot.features.award_emoji.tables import award_emoji

__all__ = ["award", "award_emoji", "known_name", "recount_votes", "voted_on", "withdraw"]
