"""From whose address the present request comes, for what is shared out among callers.

Not by who they say they are: that is known later, and whoever makes names up would have a share for each.
"""

from contextvars import ContextVar

from ingot.kit.networks import subscriber_of

_host: ContextVar[str] = ContextVar("host", default="")


def serve_for(host: str) -> None:
    """From here on this task works for a caller at this address."""
    _host.set(host)


def current_caller() -> str:
    """Whom the present work is for; empty for the server's own."""
    host = _host.get()
    return subscriber_of(host) if host else ""
