"""Plan limits: the numbers that administrators set per plan, and `limit_of` for whoever must keep to one."""

from ingot.features.instance.plan_limits.artifact_sizes import artifacts_size_problem
from ingot.features.instance.plan_limits.queries import limit_of

__all__ = [
    "artifacts_size_problem", "limit_of",
]  # fmt: skip
