"""Reactions: emoji that people give to merge requests, issues and notes."""

from ingot.features.award_emoji.commands import award, recount_votes
from ingot.features.award_emoji.tables import award_emoji

__all__ = ["award", "award_emoji", "recount_votes"]
