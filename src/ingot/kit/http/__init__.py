"""The connections of the server: what a client may send, how slowly, and how often at once."""

from ingot.kit.http.accepting import Acceptor, Share, Shares
from ingot.kit.http.certificates import Certificate
from ingot.kit.http.connections import ConnectionGuard
from ingot.kit.http.protocol import protocol_for
from ingot.kit.http.tls import encrypted_protocol_for

__all__ = [
    "Acceptor",
    "Certificate",
    "ConnectionGuard",
    "Share",
    "Shares",
    "encrypted_protocol_for",
    "protocol_for",
]
