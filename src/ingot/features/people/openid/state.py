"""A sign-in that is under way: kept sealed in a cookie of the browser that began it, never in the database."""

import secrets
from datetime import datetime, timedelta

import msgspec

from ingot.kit.clock import now
from ingot.kit.sealing import Unreadable, seal, unseal
from ingot.kit.services import Services

LIFETIME = timedelta(minutes=10)
_MARK = "openid sign-in:"


class SignInState(msgspec.Struct, frozen=True):
    """What the answer of the provider is compared with. `user_id`: whose account is to be connected, 0 for nobody's."""

    state: str
    nonce: str
    verifier: str
    return_to: str
    user_id: int
    expires_at: datetime
    is_again: bool = False  # the person is to prove once more who they are
    admin_id: int = 0  # the administrator who enters admin mode by it


def new_state(return_to: str, user_id: int = 0, *, is_again: bool = False, admin_id: int = 0) -> SignInState:
    """A new sign-in."""
    return SignInState(
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(48),
        return_to=return_to,
        user_id=user_id,
        expires_at=now() + LIFETIME,
        is_again=is_again,
        admin_id=admin_id,
    )


def seal_state(services: Services, state: SignInState) -> str:
    """The value of the cookie."""
    return seal(services, _MARK + msgspec.json.encode(state).decode())


def read_state(services: Services, sealed: str) -> SignInState | None:
    """The sign-in of a cookie; None if it is not ours or took too long."""
    try:
        text = unseal(services, sealed)
        if not text.startswith(_MARK):
            return None
        state = msgspec.json.decode(text.removeprefix(_MARK), type=SignInState)
    except (Unreadable, msgspec.DecodeError, UnicodeEncodeError):
        return None
    return state if state.expires_at > now() else None
