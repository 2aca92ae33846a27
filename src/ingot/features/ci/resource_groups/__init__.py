"""Resource groups: jobs that run one at a time."""

from ingot.features.ci.resource_groups.places import resource_lines, resource_place

__all__ = ["resource_lines", "resource_place"]
