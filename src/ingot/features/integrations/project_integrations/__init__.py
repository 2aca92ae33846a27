"""Integrations of projects: chat rooms and mailboxes that hear of changes, and settings of other services.

For pages: `NAMED` are those that do something, `tracked_issues` knows where the issues of another tracker are.
"""

from ingot.features.integrations.project_integrations.kinds import NAMED, Kind
from ingot.features.integrations.project_integrations.trackers import tracked_issues

__all__ = ["NAMED", "Kind", "tracked_issues"]
