"""Personal access tokens and impersonation tokens: listing, creating, rotating, revoking."""

from ingot.features.people.personal_access_tokens.commands import create, revoke, rotate
from ingot.features.people.personal_access_tokens.entities import PersonalAccessToken
from ingot.features.people.personal_access_tokens.entities import fields as token_fields
from ingot.features.people.personal_access_tokens.params import RotateToken, TokenFilters
from ingot.features.people.personal_access_tokens.queries import filtered

__all__ = [
    "PersonalAccessToken",
    "RotateToken",
    "TokenFilters",
    "create",
    "filtered",
    "revoke",
    "rotate",
    "token_fields",
]
