"""Badges: small images with links, on projects and groups."""

from ingot.features.spaces.badges.addresses import badge_problems
from ingot.features.spaces.badges.tables import group_badges, next_badge_id

__all__ = ["badge_problems", "group_badges", "next_badge_id"]
