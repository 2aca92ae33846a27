"""Web hooks: what happens in projects, in groups and on the instance, sent to other services."""

from ingot.features.integrations.web_hooks.archived import SWITCHES, TEXTS, ArchivedHook, hook_record, store_hook
from ingot.features.integrations.web_hooks.tables import web_hooks

__all__ = ["SWITCHES", "TEXTS", "ArchivedHook", "hook_record", "store_hook", "web_hooks"]
