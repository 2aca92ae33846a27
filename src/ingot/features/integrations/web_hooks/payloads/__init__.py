"""The payload of every kind of event, made from the change that it reports."""

from collections.abc import Callable, Mapping

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads import issues, merge_requests, notes, pushes
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks
from ingot.kit.changes import Change

BUILDERS: Mapping[str, Callable[[Blocks, Change], list[Message]]] = {
    "issue": issues.messages,
    "merge_request": merge_requests.messages,
    "note": notes.messages,
    "emoji": notes.emoji_messages,
    "push": pushes.messages,
}

__all__ = ["BUILDERS", "Blocks"]
