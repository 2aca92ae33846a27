"""Plan limits: the numbers that administrators set per plan, and `limit_of` for whoever must keep to one."""

from ingot.features.plan_limits.queries import limit_of

__all__ = ["limit_of"]
