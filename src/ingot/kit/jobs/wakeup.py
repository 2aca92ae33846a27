"""Tells the workers of this process that work was queued, so that they need not wait for their next look."""

import threading
from weakref import WeakSet

_bells: WeakSet[threading.Event] = WeakSet()


def bell() -> threading.Event:
    """An event that is set whenever work was queued by this process."""
    event = threading.Event()
    _bells.add(event)
    return event


def ring() -> None:
    """Wake the workers of this process."""
    for event in list(_bells):
        event.set()
