"""Limits on connections: in total, unauthenticated, per address and per key."""

from collections import Counter

from ingot.kit.networks import subscriber_of

MOST_CONNECTIONS = 1024
MOST_UNKNOWN = 256
MOST_PER_ADDRESS = 512
MOST_PER_KEY = 512
MOST_SESSIONS = 10
MOST_OFFERED_KEYS = 20


class Places:
    """Counts the connections of this process."""

    def __init__(self) -> None:
        self._addresses: Counter[str] = Counter()
        self._keys: Counter[str] = Counter()
        self._unknown = 0
        self._total = 0

    def enter(self, host: str) -> str | None:
        """Count a new connection; returns why it is refused, or None."""
        address = subscriber_of(host)
        self._total += 1
        self._unknown += 1
        self._addresses[address] += 1
        if self._total > MOST_CONNECTIONS or self._unknown > MOST_UNKNOWN:
            return "Too many connections. Try again later."
        if self._addresses[address] > MOST_PER_ADDRESS:
            return "Too many connections from your address. Try again later."
        return None

    def introduce(self, key: str) -> bool:
        """Count an authenticated connection; False if the key has too many."""
        self._unknown -= 1
        self._keys[key] += 1
        return self._keys[key] <= MOST_PER_KEY

    def leave(self, host: str, key: str | None) -> None:
        """A connection has ended."""
        self._total -= 1
        _subtract(self._addresses, subscriber_of(host))
        if key is None:
            self._unknown -= 1
        else:
            _subtract(self._keys, key)


def _subtract(counts: Counter[str], name: str) -> None:
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]
