"""Feature flags of projects: switches that applications read over the protocol of Unleash."""

from ingot.features.ci.project_flags.client_access import instance_id
from ingot.features.ci.project_flags.rows import FlagRow
from ingot.features.ci.project_flags.tables import project_flags

__all__ = ["FlagRow", "instance_id", "project_flags"]
