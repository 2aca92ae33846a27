"""Reactions."""

from ingot.features.award_emoji.tables import award_emoji

__all__ = ["award_emoji"]
