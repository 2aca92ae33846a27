"""Web hooks: what happens in projects, in groups and on the instance, sent to other services."""

from ingot.features.integrations.web_hooks.addresses import rules_for
from ingot.features.integrations.web_hooks.archived import SWITCHES, TEXTS, ArchivedHook, hook_record, store_hook
from ingot.features.integrations.web_hooks.late_parts import addressed, complete
from ingot.features.integrations.web_hooks.messages import new_mark
from ingot.features.integrations.web_hooks.payloads import BUILDERS, Blocks
from ingot.features.integrations.web_hooks.payloads.merge_requests import messages as merge_request_messages
from ingot.features.integrations.web_hooks.tables import web_hooks

__all__ = [
    "BUILDERS", "SWITCHES", "TEXTS", "ArchivedHook", "Blocks", "addressed", "complete", "hook_record",
    "merge_request_messages", "new_mark", "rules_for", "store_hook", "web_hooks",
]  # fmt: skip
