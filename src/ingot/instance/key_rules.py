"""Which SSH keys the instance takes: settings forbid a kind, or say how many bits it has at least."""

from sqlalchemy import Connection

from ingot.instance.settings import named_settings
from ingot.kit.public_keys import PublicKey

FAMILIES = ("RSA", "DSA", "ECDSA", "ED25519", "ECDSA_SK", "ED25519_SK")
FORBIDDEN = -1


def setting_of(family: str) -> str:
    """The setting for keys of a kind."""
    return f"{family.lower()}_key_restriction"


def key_problem(conn: Connection, key: PublicKey) -> str | None:
    """Why the key is not accepted, as the end of a sentence about it; None for a key that is."""
    settings = named_settings(conn, *map(setting_of, FAMILIES))
    least = settings[setting_of(key.family)]
    if least == FORBIDDEN:
        allowed = [family for family in FAMILIES if settings[setting_of(family)] != FORBIDDEN]
        return f"type is forbidden. Must be {_any_of(allowed)}" if allowed else "type is forbidden"
    return f"must be at least {least} bits" if key.bits < least else key.weakness


def _any_of(names: list[str]) -> str:
    if len(names) < 3:
        return " or ".join(names)
    return f"{', '.join(names[:-1])}, or {names[-1]}"
