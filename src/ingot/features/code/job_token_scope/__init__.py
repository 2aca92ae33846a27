"""Which projects a job token can access: its own, those that allow it, and public ones where the feature permits."""

from ingot.features.code.job_token_scope.reach import JobTokenRefused, is_reachable, require_reachable

__all__ = ["JobTokenRefused", "is_reachable", "require_reachable"]
