"""Environments and deployments over the API; stopping and cleaning up."""

from ingot.features.ci.environments.approving import find_represented, find_votes
from ingot.features.ci.environments.of_jobs import deletion_times, environment_of_job

__all__ = ["deletion_times", "environment_of_job", "find_represented", "find_votes"]
