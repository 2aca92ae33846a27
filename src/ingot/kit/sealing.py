"""Secrets that must be used again later (variables, trigger tokens, credentials): encrypted with the instance's key."""

import base64
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from ingot.kit.services import Services

if TYPE_CHECKING:
    from cryptography.fernet import Fernet


class Unreadable(Exception):
    """The secret was sealed with another key: `secret_key` was changed or lost."""


@lru_cache(maxsize=8)
def _box(key: str) -> "Fernet":
    from cryptography.fernet import Fernet

    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"ingot sealing\0" + key.encode()).digest()))


def seal(services: Services, clear: str) -> str:
    """The text as it may be stored."""
    return _box(services.secret_key).encrypt(clear.encode()).decode()


def unseal(services: Services, sealed: str) -> str:
    """The text again."""
    from cryptography.fernet import InvalidToken

    try:
        return _box(services.secret_key).decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise Unreadable("A stored secret cannot be read: the instance's secret key has changed.") from error
