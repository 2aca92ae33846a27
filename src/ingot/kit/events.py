"""Announcements between features that do not know each other: an event class, and the functions that listen to it.

    @listen(Pushed)
    def refresh_heads(services: Services, event: Pushed) -> None: ...

Listeners run one after another in the announcing thread, after the announcer's transaction. A listener that fails is
logged and does not stop the others: what it does must also be repaired on the next read or by a sweep.
"""

import logging
from collections import defaultdict
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

from ingot.kit.services import Services

log = logging.getLogger("ingot.events")

E = TypeVar("E")
Listener = Callable[[Services, Any], None]
_listeners: dict[type, list[tuple[int, Listener]]] = defaultdict(list)


def listen(event: type[E], order: int = 50) -> Callable[[Callable[[Services, E], None]], Callable[[Services, E], None]]:
    """Register a listener; lower orders run first."""

    def register(listener: Callable[[Services, E], None]) -> Callable[[Services, E], None]:
        _listeners[event].append((order, listener))
        _listeners[event].sort(key=lambda entry: entry[0])
        return listener

    return register


_failed: ContextVar[bool] = ContextVar("a_listener_failed", default=False)


def has_failed() -> bool:
    """A listener to the event that is being announced failed, or one to an event that followed from it."""
    return _failed.get()


def announce(services: Services, event: object) -> bool:
    """Call every listener; returns whether all succeeded.

    Call it after the commit, never inside a write transaction.
    """
    token = _failed.set(False)
    for _, listener in _listeners[type(event)]:
        try:
            listener(services, event)
        except Exception:
            _failed.set(True)
            log.exception("a listener failed", extra={"job": type(event).__name__, "step": listener.__name__})
    went_wrong = _failed.get()
    _failed.reset(token)
    if went_wrong:
        _failed.set(True)
    return not went_wrong
