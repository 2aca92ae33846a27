"""Passwords: hashing with scrypt, checking, and the rules that a new one must meet."""

import base64
import hashlib
import hmac
import secrets

COST, BLOCK, LANES = 2**14, 8, 1
MINIMUM = 8
MAXIMUM = 128
WEAK = "must not contain commonly used combinations of words and letters"

_COMMON = frozenset(
    [
        "12345678", "123456789", "1234567890", "11111111", "00000000", "87654321", "password", "password1",
        "password12", "password123", "passw0rd", "p@ssword", "p@ssw0rd", "qwertyui", "qwertyuiop", "qwerty123",
        "1q2w3e4r", "1qaz2wsx", "iloveyou", "sunshine", "princess", "football", "baseball", "superman", "trustno1",
        "welcome1", "welcome123", "letmein1", "administrator", "admin123", "changeme", "abcd1234", "abc12345",
        "asdfghjk",
    ]
)  # fmt: skip


def hashed(password: str) -> str:
    """What is stored of a password."""
    salt = secrets.token_bytes(16)
    return f"scrypt${COST}${BLOCK}${LANES}${_text(salt)}${_text(_derive(password, salt, COST, BLOCK, LANES))}"


def matches(password: str, stored: str | None) -> bool:
    """Whether the password matches; users without a stored one (a forced random one) cannot sign in with a password."""
    if not stored:
        return False
    _, cost, block, lanes, salt, digest = stored.split("$")
    result = _derive(password, base64.b64decode(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(result, base64.b64decode(digest))


def problems(password: str, *personal: str, minimum: int = MINIMUM) -> list[str]:
    """What is wrong with a new password; `personal` are the user's own words, which it must not contain."""
    result = []
    if len(password) < minimum:
        result.append(f"is too short (minimum is {minimum} characters)")
    if len(password) > MAXIMUM:
        result.append(f"is too long (maximum is {MAXIMUM} characters)")
    lowered = password.lower()
    words = {word.lower() for text in personal for word in (text, text.partition("@")[0], *text.split()) if word}
    if lowered in _COMMON or any(len(word) >= 4 and word in lowered for word in words):
        result.append(WEAK)
    return result


def _derive(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=cost, r=block, p=lanes, maxmem=64 * 1024 * 1024, dklen=32)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
