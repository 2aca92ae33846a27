"""Sign-in requests without stored state: their signed IDs carry what the answer is checked against.

Anybody may ask to be sent to an identity provider, so asking must not write to the database.
"""

import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta

import msgspec

from ingot.features.people.saml.sso import ResponseRefused
from ingot.kit.clock import now

LIFETIME = timedelta(minutes=10)


class SignInRequest(msgspec.Struct, frozen=True):
    """What a request's ID says. `user_id`: who was signed in when asking, 0 for nobody."""

    id: str
    user_id: int
    expires_at: datetime


def new_request(key: str, provider_id: int, user_id: int | None) -> SignInRequest:
    """A request whose ID is valid XML (no digit first) and cannot be guessed or altered."""
    expires = int((now() + LIFETIME).timestamp())
    body = f"_{expires:x}.{user_id or 0:x}.{secrets.token_hex(12)}"
    return SignInRequest(f"{body}.{_seal(key, provider_id, body)}", user_id or 0, datetime.fromtimestamp(expires, UTC))


def read_request(key: str, provider_id: int, request_id: str) -> SignInRequest:
    """The request that an answer names, if it is ours, for this provider and not too old."""
    body, _, seal = request_id.rpartition(".")
    if not hmac.compare_digest(seal.encode(), _seal(key, provider_id, body).encode()):
        raise ResponseRefused("The SAML response answers a request that is not ours.")
    expires, user_id, _ = body.removeprefix("_").split(".")
    result = SignInRequest(request_id, int(user_id, 16), datetime.fromtimestamp(int(expires, 16), UTC))
    if result.expires_at <= now():
        raise ResponseRefused("The sign-in expired. Start again.")
    return result


def _seal(key: str, provider_id: int, body: str) -> str:
    text = f"saml-request:{provider_id}:{body}"
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()[:40]
