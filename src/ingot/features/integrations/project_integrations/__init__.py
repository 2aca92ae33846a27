"""Integrations of projects: chat rooms and mailboxes that hear of changes, and settings of other services.

For pages: `tracked_issues` knows where the issues of another tracker are.
"""

from ingot.features.integrations.project_integrations.trackers import tracked_issues

__all__ = ["tracked_issues"]
