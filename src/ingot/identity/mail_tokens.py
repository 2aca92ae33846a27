"""Tokens in mailed links: sealed, for one purpose, until a moment, and bound to a proof that later changes break."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from ingot.identity.rows import UserRow
from ingot.kit.clock import now
from ingot.kit.ids import parse_id
from ingot.kit.sealing import Unreadable, seal, unseal
from ingot.kit.services import Services

CONFIRM, RESET, INVITE, UNLOCK, UNSUBSCRIBE = "confirm", "reset", "invite", "unlock", "unsubscribe"
LIFETIMES = {
    CONFIRM: timedelta(days=1), RESET: timedelta(days=2), INVITE: timedelta(days=30), UNLOCK: timedelta(days=1),
    UNSUBSCRIBE: timedelta(days=365),
}  # fmt: skip
_MARK = "mailed link"
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class MailToken:
    """What a valid token says: the id of its record, and the proof to compare."""

    record_id: int
    proof: str


def issue_token(services: Services, purpose: str, record_id: int, proof: str) -> str:
    """A token for a link."""
    ends_at = (now() + LIFETIMES[purpose]).isoformat()
    return seal(services, "\n".join((_MARK, purpose, str(record_id), ends_at, proof)))


def read_token(services: Services, purpose: str, text: str) -> MailToken | None:
    """What the token says; None for one of another purpose, one that has ended, and everything else."""
    try:
        parts = unseal(services, text).split("\n", 4) if len(text) <= _LONGEST else []
    except Unreadable:
        return None
    if len(parts) != 5 or parts[:2] != [_MARK, purpose] or datetime.fromisoformat(parts[3]) <= now():
        return None
    record_id = parse_id(parts[2])
    return None if record_id is None else MailToken(record_id, parts[4])


def reset_proof(user: UserRow) -> str:
    """Changes with the password and with the address, so that a link works once and only for whom it was sent."""
    return hashlib.sha256(f"{user.email_lower}\n{user.password_hash or ''}".encode()).hexdigest()


def unlock_proof(user: UserRow) -> str:
    """Changes with each lock and with the address."""
    until = "" if user.locked_until is None else user.locked_until.isoformat()
    return hashlib.sha256(f"{user.email_lower}\n{until}".encode()).hexdigest()
