"""How often a password may be tried, by whatever door: counted by account, on all nodes together."""

import time

from starlette.requests import Request

from ingot.instance.throttling import TooManyRequests, address_name
from ingot.kit.db import Database
from ingot.kit.rate_counts import Window
from ingot.kit.rate_windows import hit

PER_ACCOUNT, PER_ADDRESS, MINUTE = 5, 10, 60


def is_tried_too_often(db: Database, account: int | str) -> bool:
    """Count one more attempt; whether it is one too many. Who has no account is counted by the name that was typed."""
    return account_wait(db, account) > 0


def account_wait(db: Database, account: int | str) -> int:
    """As above; how many seconds everybody has to wait, 0 where the attempt is not one too many."""
    return _wait(hit(db, f"password:{account}"[:200], MINUTE), PER_ACCOUNT)


def is_address_trying_too_often(db: Database, request: Request) -> bool:
    """Count one more attempt from the address of a browser, at whatever account; whether it is one too many."""
    return address_wait(db, request) > 0


def address_wait(db: Database, request: Request) -> int:
    """As above; how many seconds it has to wait, 0 where the attempt is not one too many."""
    return _wait(hit(db, f"sign_in:{address_name(request)}"[:200], MINUTE), PER_ADDRESS)


def _wait(window: Window, most: int) -> int:
    return 0 if window.observed <= most else max(1, window.resets_at - int(time.time()))


def require_attempt(db: Database, account: int) -> None:
    """Count one more attempt; 429 where it is one too many."""
    if is_tried_too_often(db, account):
        raise TooManyRequests
