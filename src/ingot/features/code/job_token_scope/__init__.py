"""Which projects a job's token reaches: its own, those that list it, and open ones where the feature allows it."""

from ingot.features.code.job_token_scope.reach import JobTokenRefused, is_reachable, require_reachable

__all__ = ["JobTokenRefused", "is_reachable", "require_reachable"]
