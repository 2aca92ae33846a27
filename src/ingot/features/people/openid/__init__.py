"""Signing in by an OpenID Connect provider that the operator configured."""

from ingot.features.people.openid.accounts import PROVIDER, Refused, connect_account, find_account, register_account
from ingot.features.people.openid.offering import find_label
from ingot.features.people.openid.provider import Identity, ProviderUnavailable, authorization_url, fetch_identity
from ingot.features.people.openid.state import SignInState, new_state, read_state, seal_state

__all__ = [
    "PROVIDER",
    "Identity",
    "ProviderUnavailable",
    "Refused",
    "SignInState",
    "authorization_url",
    "connect_account",
    "fetch_identity",
    "find_account",
    "find_label",
    "new_state",
    "read_state",
    "register_account",
    "seal_state",
]
