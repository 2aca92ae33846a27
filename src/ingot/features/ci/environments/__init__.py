"""Environments and deployments over the API; stopping and cleaning up."""

from ingot.features.ci.environments.approving import find_votes

__all__ = ["find_votes"]
