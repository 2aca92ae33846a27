"""Requests of users to become members of a group or project."""

from ingot.features.spaces.access_requests.policy import may_ask

__all__ = ["may_ask"]
