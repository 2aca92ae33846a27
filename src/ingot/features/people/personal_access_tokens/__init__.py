"""Personal access tokens and impersonation tokens: listing, creating, rotating, revoking."""

from ingot.features.people.personal_access_tokens.commands import create as create_token
from ingot.features.people.personal_access_tokens.commands import latest_expiry, revoke, rotate
from ingot.features.people.personal_access_tokens.entities import PersonalAccessToken, PersonalAccessTokenWithValue
from ingot.features.people.personal_access_tokens.entities import fields as token_fields
from ingot.features.people.personal_access_tokens.entities import present as present_tokens
from ingot.features.people.personal_access_tokens.params import RotateToken, TokenFilters
from ingot.features.people.personal_access_tokens.queries import filtered, tokens_of
from ingot.features.people.personal_access_tokens.queries import find as find_token

__all__ = [
    "PersonalAccessToken",
    "PersonalAccessTokenWithValue",
    "RotateToken",
    "TokenFilters",
    "create_token",
    "filtered",
    "find_token",
    "latest_expiry",
    "present_tokens",
    "revoke",
    "rotate",
    "token_fields",
    "tokens_of",
]
