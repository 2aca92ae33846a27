"""Broadcast messages of administrators to everybody."""

from ingot.features.instance.broadcast_messages.current import current_messages
from ingot.features.instance.broadcast_messages.rows import MessageRow

__all__ = ["MessageRow", "current_messages"]
