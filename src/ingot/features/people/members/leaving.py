"""Hooks for other rooms: unassign a member who leaves."""

from collections.abc import Callable

from sqlalchemy import Connection

from ingot.features.people.members.source import Source

Unassign = Callable[[Connection, Source, int], None]
_hooks: list[Unassign] = []


def when_unassigned(hook: Unassign) -> Unassign:
    """Register a hook: called with the group or project and the user, in the transaction that ends the membership."""
    _hooks.append(hook)
    return hook


def unassign(tx: Connection, source: Source, user_id: int) -> None:
    """Unassign the user from everything inside."""
    for hook in _hooks:
        hook(tx, source, user_id)
