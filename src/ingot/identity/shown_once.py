"""Secrets that a page shows once: they wait in the row of the session, sealed, until that page is opened.

Only the page at one path shows a secret, to the person of the session, and within five minutes.
"""

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection

from ingot.identity import sessions
from ingot.identity.rows import SessionRow
from ingot.kit.clock import now
from ingot.kit.sealing import Unreadable, seal, unseal
from ingot.kit.services import Services

WAITING = "waiting_secrets"  # in the details of a session: a list of `_Entry`
SECONDS = 300
MOST = 5  # of a session at once; a new one takes the place of the oldest

Details = Mapping[str, object]  # of a session


class PageSecret(msgspec.Struct, frozen=True, array_like=True):
    """A secret and the page that shows it. It names the person, so that no session of somebody else can show it."""

    user_id: int
    path: list[str]  # decoded segments
    fields: dict[str, str]


class WaitingSecret(msgspec.Struct, frozen=True):
    """A secret that waits for the page that was opened."""

    fields: dict[str, str]
    sealed: str


class _Entry(msgspec.Struct, frozen=True):
    """What the row of the session has of a secret."""

    until: int  # seconds
    sealed: str


def keep_secret(tx: Connection, services: Services, clear: str, secret: PageSecret) -> None:
    """Let a secret wait in this session for its page."""
    sealed = seal(services, msgspec.json.encode(secret).decode())
    entry = _Entry(int(now().timestamp()) + SECONDS, sealed)
    _write(tx, clear, [*_entries(sessions.lock_details(tx, clear)), entry][-MOST:])


def find_secret(services: Services, session: SessionRow, path: Sequence[str]) -> WaitingSecret | None:
    """The newest secret that waits in this session for the page at `path`."""
    for entry in reversed(_entries(session.details)):
        try:
            secret = msgspec.json.decode(unseal(services, entry.sealed), type=PageSecret)
        except Unreadable:
            continue
        if (secret.user_id, secret.path) == (session.id, list(path)):
            return WaitingSecret(secret.fields, entry.sealed)
    return None


def take_secret(tx: Connection, clear: str, secret: WaitingSecret) -> bool:
    """End the wait; False where another visit of the page has shown the secret, or the session has ended."""
    entries = _entries(sessions.lock_details(tx, clear))
    left = [entry for entry in entries if entry.sealed != secret.sealed]
    _write(tx, clear, left)
    return len(left) < len(entries)


def has_expired_secret(details: Details) -> bool:
    """Whether a secret has waited in the session for too long."""
    return len(_entries(details)) < len(_all(details))


def forget_expired_secrets(tx: Connection, clear: str) -> None:
    """Keep only what a page may still show."""
    _write(tx, clear, _entries(sessions.lock_details(tx, clear)))


def waiting_details(tx: Connection, clear: str) -> dict[str, object]:
    """What waits, as details of the session that takes the place of this one when its person signs in again."""
    entries = _entries(sessions.lock_details(tx, clear))
    return {WAITING: msgspec.to_builtins(entries)} if entries else {}


def _entries(details: Details) -> list[_Entry]:
    """What may still be shown."""
    moment = now().timestamp()
    return [entry for entry in _all(details) if entry.until > moment]


def _all(details: Details) -> list[_Entry]:
    return msgspec.convert(details.get(WAITING, []), type=list[_Entry])


def _write(tx: Connection, clear: str, entries: list[_Entry]) -> None:
    sessions.set_details(tx, clear, **{WAITING: msgspec.to_builtins(entries) or None})
