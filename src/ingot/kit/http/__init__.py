"""The connections of the server: what a client may send, how slowly, and how often at once."""

from ingot.kit.http.connections import ConnectionGuard
from ingot.kit.http.protocol import protocol_for

__all__ = ["ConnectionGuard", "protocol_for"]
