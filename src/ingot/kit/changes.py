"""Changes of records, reported inside the transaction that makes them to followers that run in it too.

    report_change(tx, Change("issue", "open", issue_id, project_id=project.id, user_id=actor.user_id))

    @follows("issue")
    def queue_messages(tx: Connection, change: Change) -> None: ...

What follows runs at the end of the transaction, just before it commits: it sees the records as they will be, and either
both are stored or neither. A fault there undoes the change, so a follower reads and writes rows and does nothing else.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from typing import Any, Protocol

import msgspec
from sqlalchemy import Connection

from ingot.kit.actor import Actor


class Change(msgspec.Struct, frozen=True):
    """What somebody did to a record. `details` holds what cannot be read from the record afterwards."""

    kind: str
    action: str
    record_id: int
    project_id: int | None = None
    group_id: int | None = None
    user_id: int | None = None
    details: Mapping[str, object] = msgspec.field(default_factory=dict)


class Origin(Protocol):
    """The request that is being answered."""

    @property
    def actor(self) -> Actor:
        """Who sent it."""

    @property
    def address(self) -> str | None:
        """From where."""

    @property
    def cause(self) -> str | None:
        """The event that it answers, as far as is known."""


class Asked(msgspec.Struct, frozen=True):
    """A request of which only this is known."""

    actor: Actor
    address: str | None
    cause: str | None = None


Follower = Callable[[Connection, Change], None]
_followers: dict[str, list[Follower]] = defaultdict(list)
# The request that is being answered in this context.
origin_in: ContextVar[Origin | None] = ContextVar("origin", default=None)
_PENDING, _SHARED = "changes", "shared_reads"


def follows(*kinds: str) -> Callable[[Follower], Follower]:
    """Register a follower of changes to these kinds of records."""

    def register(follower: Follower) -> Follower:
        for kind in kinds:
            _followers[kind].append(follower)
        return follower

    return register


class answering:  # noqa: N801 - read as a verb: `with answering(call)`
    """What is changed in this context is the answer to this request."""

    __slots__ = ("_origin", "_token")

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    def __enter__(self) -> None:
        self._token: Token[Origin | None] = origin_in.set(self._origin)

    def __exit__(self, *_: object) -> None:
        origin_in.reset(self._token)


def current_origin() -> Origin | None:
    """The request that is being answered; None for work of the server itself."""
    return origin_in.get()


def current_cause() -> str | None:
    """The event that caused what is being changed, as far as is known."""
    origin = origin_in.get()
    return None if origin is None else origin.cause


def report_change(tx: Connection, change: Change) -> None:
    """Report a change; followers run at the end of the transaction."""
    if change.kind in _followers:
        tx.info.setdefault(_PENDING, []).append(change)


def report_change_now(tx: Connection, change: Change) -> None:
    """Report a change whose record is about to be deleted: followers run at once, while it can still be read."""
    for follower in _followers.get(change.kind, ()):
        follower(tx, change)


def follow_up(tx: Connection) -> None:
    """Run the followers of all reported changes, in order; what they report is followed too."""
    if _PENDING not in tx.info:
        return
    tx.info[_SHARED] = {}
    while pending := tx.info.pop(_PENDING, None):
        for change in pending:
            report_change_now(tx, change)
    del tx.info[_SHARED]


def shared_reads(tx: Connection) -> dict[object, Any]:
    """What followers have read at the end of this transaction, so that many changes ask once.

    Nothing is shared before the end: what was read then may be gone since.
    """
    shared: dict[object, Any] = tx.info.get(_SHARED, {})
    return shared


def forget(tx: Connection) -> None:
    """Drop what an earlier transaction of this connection reported before it was rolled back."""
    tx.info.pop(_PENDING, None)
    tx.info.pop(_SHARED, None)
