"""Passwords: hashing with scrypt, checking, and the rules that a new one must meet."""

import base64
import hashlib
import hmac
import secrets

import msgspec
from sqlalchemy import Connection

from ingot.instance.settings import named_settings

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


class PasswordRules(msgspec.Struct, frozen=True):
    """What the instance asks of passwords."""

    minimum: int = MINIMUM
    number: bool = False
    symbol: bool = False
    uppercase: bool = False
    lowercase: bool = False

    def missing(self, password: str) -> list[str]:
        """Which characters the password lacks."""
        lacks = {
            "number": self.number and not any(letter.isdigit() for letter in password),
            "symbol": self.symbol and all(letter.isalnum() or letter.isspace() for letter in password),
            "uppercase letter": self.uppercase and not any(letter.isupper() for letter in password),
            "lowercase letter": self.lowercase and not any(letter.islower() for letter in password),
        }
        return [f"must contain at least one {name}" for name, is_missing in lacks.items() if is_missing]


def password_rules(conn: Connection) -> PasswordRules:
    """The rules of this instance."""
    parts = ("number", "symbol", "uppercase", "lowercase")
    settings = named_settings(conn, "minimum_password_length", *(f"password_{part}_required" for part in parts))
    required = {part: bool(settings[f"password_{part}_required"]) for part in parts}
    return PasswordRules(minimum=int(settings["minimum_password_length"]), **required)


def problems(password: str, *personal: str, rules: PasswordRules | None = None) -> list[str]:
    """What is wrong with a new password; `personal` are the user's own words, which it must not contain."""
    rules = rules or PasswordRules()
    result = []
    if len(password) < rules.minimum:
        result.append(f"is too short (minimum is {rules.minimum} characters)")
    if len(password) > MAXIMUM:
        result.append(f"is too long (maximum is {MAXIMUM} characters)")
    lowered = password.lower()
    words = {word.lower() for text in personal for word in (text, text.partition("@")[0], *text.split()) if word}
    if lowered in _COMMON or any(len(word) >= 4 and word in lowered for word in words):
        result.append(WEAK)
    return result + rules.missing(password)


def _derive(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=cost, r=block, p=lanes, maxmem=64 * 1024 * 1024, dklen=32)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
