"""Proof Key for Code Exchange (RFC 7636): the client that redeems a code is the one that asked for it."""

import base64
import hashlib
import hmac

from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.rows import GrantRow
from ingot.kit.patterns import pattern

METHODS = ("plain", "S256")
_FORM = pattern(r"[A-Za-z0-9._~-]{43,128}")


def check_challenge(challenge: str, method: str) -> None:
    """Raise for a challenge that nobody could meet."""
    if method not in METHODS:
        raise OAuthError("invalid_request", "The code challenge method must be plain, S256.")
    if _FORM.fullmatch(challenge) is None:
        raise OAuthError("invalid_request", "The code challenge must have 43 to 128 unreserved characters.")


def check_verifier(grant: GrantRow, verifier: str) -> None:
    """Raise unless the verifier belongs to the challenge; one without a challenge is a sign of an attack."""
    if grant.code_challenge is None:
        if verifier:
            raise OAuthError("invalid_grant")
        return
    if _FORM.fullmatch(verifier) is None:
        raise OAuthError("invalid_grant")
    result = verifier
    if grant.code_challenge_method == "S256":
        result = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    if not hmac.compare_digest(result, grant.code_challenge):
        raise OAuthError("invalid_grant")
