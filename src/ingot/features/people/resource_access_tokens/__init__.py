"""Access tokens of projects and groups: each belongs to a bot that is a member only there."""

from ingot.features.people.resource_access_tokens.tables import resource_bots

__all__ = ["resource_bots"]
