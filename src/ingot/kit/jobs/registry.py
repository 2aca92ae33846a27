"""Kinds of background work: which function runs a kind, how often it is tried, what runs when it failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from sqlalchemy import Connection

Handler = Callable[..., None]
OnFailure = Callable[["Connection", Mapping[str, object], str], None]
Backoff = Callable[[int], float]

# Each lane has slots of its own in every worker, so that none waits for another: work that takes seconds, work that may
# take minutes, and work that only waits for other people's servers.
SHORT, LONG, CALLS = LANES = ("short", "long", "calls")


def exponential(first: float = 2.0, limit: float = 300.0) -> Backoff:
    """Seconds before attempt n+1: first, twice that, four times that, up to the limit."""
    return lambda fault: min(limit, first * 2.0 ** (fault - 1))


# For work that is worth waiting for: it survives an outage of a quarter of an hour, or a full disk that is cleared in
# that time.
OUTAGE_RETRIES = 20
OUTAGE_BACKOFF = exponential(2.0, limit=60.0)


class Kind(msgspec.Struct, frozen=True):
    """One kind of work and the rules it is run under."""

    name: str
    handler: Handler
    retries: int
    backoff: Backoff
    timeout: float | None = None
    failed: OnFailure | None = None
    every: float | None = None
    lane: str = SHORT


_kinds: dict[str, Kind] = {}


def job(
    name: str,
    *,
    retries: int = 3,
    backoff: float | Backoff = 2.0,
    timeout: float | None = 6 * 3600.0,
    failed: OnFailure | None = None,
    long: bool = False,
    calls: bool = False,
) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of jobs of this kind.

    `retries` bounds the further attempts after transient faults, `backoff` is the first pause in seconds or a function
    of the fault's number, `timeout` is seen by `run.check()` and before each step, and `failed(tx, args, sentence)`
    runs in the transaction that ends the job as failed. Work that may take minutes says `long`, work that mostly waits
    for other servers says `calls`: both have slots of their own in each worker.
    """
    pause = backoff if callable(backoff) else exponential(backoff)

    def register(handler: Handler) -> Handler:
        lane = CALLS if calls else LONG if long else SHORT
        _add(Kind(name, handler, retries, pause, timeout, failed, lane=lane))
        return handler

    return register


def periodic(
    name: str, *, every: float, timeout: float | None = 3600.0, long: bool = False
) -> Callable[[Handler], Handler]:
    """Register work that runs once per interval of `every` seconds over all nodes together."""

    def register(handler: Handler) -> Handler:
        lane = LONG if long else SHORT
        _add(Kind(name, handler, retries=3, backoff=exponential(), timeout=timeout, every=every, lane=lane))
        return handler

    return register


def get_kind(name: str) -> Kind:
    """The registered kind; a name nobody registered is a programming error."""
    try:
        return _kinds[name]
    except KeyError:
        raise LookupError(f"No background work is registered as {name!r}.") from None


def find_kind(name: str) -> Kind | None:
    """The registered kind, or None for the rows of a kind that this version no longer knows."""
    return _kinds.get(name)


def kind_names(lane: str) -> list[str]:
    """The registered kinds of a lane."""
    return sorted(name for name, kind in _kinds.items() if kind.lane == lane)


def periodic_kinds() -> list[Kind]:
    """The kinds that run by the clock."""
    return [kind for kind in _kinds.values() if kind.every is not None]


def _add(kind: Kind) -> None:
    known = _kinds.get(kind.name)
    if known is not None and _home(known.handler) != _home(kind.handler):
        raise ValueError(f"Background work {kind.name!r} is registered twice.")
    _kinds[kind.name] = kind


def _home(handler: Handler) -> tuple[str, str]:
    return handler.__module__, handler.__qualname__
