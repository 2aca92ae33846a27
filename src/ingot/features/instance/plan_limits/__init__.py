"""Plan limits, set by administrators per plan; `limit_of` reads one."""

from ingot.features.instance.plan_limits.artifact_sizes import artifacts_size_problem
from ingot.features.instance.plan_limits.queries import limit_of
from ingot.features.instance.plan_limits.repository_sizes import size_limit_problem

__all__ = [
    "artifacts_size_problem", "limit_of", "size_limit_problem",
]  # fmt: skip
