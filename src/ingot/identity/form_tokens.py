"""Tokens against forged forms: masked anew in each page, so that compression does not reveal them."""

import hmac
import secrets


def masked(token: str) -> str:
    """The token as it stands in a page: another text each time, so that compression does not reveal it."""
    raw = token.encode()
    mask = secrets.token_bytes(len(raw))
    return (mask + bytes(a ^ b for a, b in zip(mask, raw, strict=True))).hex()


def is_token(sent: str, token: str) -> bool:
    """The text is a masked form of the token."""
    try:
        raw = bytes.fromhex(sent)
    except ValueError:
        return False
    half = len(raw) // 2
    plain = bytes(a ^ b for a, b in zip(raw[:half], raw[half:], strict=False))
    return hmac.compare_digest(plain, token.encode())
