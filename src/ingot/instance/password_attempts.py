"""How often a password may be tried, by whatever door: counted by account, on all nodes together."""

from ingot.instance.throttling import TooManyRequests
from ingot.kit.db import Database
from ingot.kit.rate_windows import hit

PER_ACCOUNT, MINUTE = 5, 60


def is_tried_too_often(db: Database, account: int | str) -> bool:
    """Count one more attempt; whether it is one too many. Who has no account is counted by the name that was typed."""
    return hit(db, f"password:{account}"[:200], MINUTE).observed > PER_ACCOUNT


def require_attempt(db: Database, account: int) -> None:
    """Count one more attempt; 429 where it is one too many."""
    if is_tried_too_often(db, account):
        raise TooManyRequests
