"""Mails about what happens to issues, merge requests, pipelines and releases, to the people who want them."""

from ingot.features.integrations.notifications.unsubscribing import find_unsubscription, unsubscribe

__all__ = ["find_unsubscription", "unsubscribe"]
