"""Hooks for other rooms: run when an address is confirmed, in the same transaction."""

from collections.abc import Callable

from sqlalchemy import Connection

Arrival = Callable[[Connection, int, str], None]
_arrivals: list[Arrival] = []


def when_address_is_confirmed(arrival: Arrival) -> None:
    """Register a hook: called with the user and the address when an account gets a confirmed primary address."""
    if arrival not in _arrivals:
        _arrivals.append(arrival)


def address_confirmed(tx: Connection, user_id: int, email: str) -> None:
    """Run the hooks."""
    for arrival in _arrivals:
        arrival(tx, user_id, email)
