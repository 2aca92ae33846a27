"""Limits on connections: in total, unauthenticated, per address and per key."""

from collections import Counter
from collections.abc import Callable

from ingot.kit.networks import subscriber_of

MOST_CONNECTIONS = 1024
MOST_UNKNOWN = 256
MOST_PER_ADDRESS = 512
MOST_PER_KEY = 512
MOST_SESSIONS = 10
MOST_OFFERED_KEYS = 20
MOST_PER_MINUTE = 600


Close = Callable[[], None]


class Places:
    """Counts the connections of this process; one is known by what closes it.

    When too many have not signed in, the one that has taken longest makes room: nobody can occupy all places by
    connecting and waiting.
    """

    def __init__(self) -> None:
        self._addresses: Counter[str] = Counter()
        self._keys: Counter[str] = Counter()
        self._unknown: dict[Close, None] = {}
        self._total = 0

    def enter(self, host: str, close: Close) -> str | None:
        """Count a new connection; returns why it is refused, or None."""
        address = subscriber_of(host)
        self._total += 1
        self._addresses[address] += 1
        self._unknown[close] = None
        if self._total > MOST_CONNECTIONS:
            return "Too many connections. Try again later."
        if self._addresses[address] > MOST_PER_ADDRESS:
            return "Too many connections from your address. Try again later."
        if len(self._unknown) > MOST_UNKNOWN:
            oldest = next(iter(self._unknown))
            del self._unknown[oldest]
            oldest()
        return None

    def introduce(self, close: Close, key: str) -> bool:
        """Count an authenticated connection; False if the key has too many."""
        self._unknown.pop(close, None)
        self._keys[key] += 1
        return self._keys[key] <= MOST_PER_KEY

    def leave(self, host: str, close: Close, key: str | None) -> None:
        """A connection has ended."""
        self._total -= 1
        self._unknown.pop(close, None)
        _subtract(self._addresses, subscriber_of(host))
        if key is not None:
            _subtract(self._keys, key)


class CommandRate:
    """Counts the commands of one minute: the same command for the same project, by a key and by an address."""

    def __init__(self) -> None:
        self._minute = -1
        self._counts: Counter[tuple[str, ...]] = Counter()

    def admits(self, command: str, path: str, *callers: str, at: float) -> bool:
        """Count a command at a moment in seconds; False if one of its callers has sent too many."""
        minute = int(at // 60)
        if minute != self._minute:
            self._minute = minute
            self._counts.clear()
        names = [(command, path.lower(), caller) for caller in callers]
        self._counts.update(names)
        return all(self._counts[name] <= MOST_PER_MINUTE for name in names)


def _subtract(counts: Counter[str], name: str) -> None:
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]
