"""SCIM on the wire, for owners."""

from datetime import datetime
from urllib.parse import quote

from ingot.features.people.scim.rows import ScimTokenRow
from ingot.identity.rows import ScimIdentityRow
from ingot.kit.entity import UNSET, Entity, UnsetType, wire

BASE = "/api/scim/v2"


class GroupScimIdentity(Entity):
    """A user whom the group's identity provider manages."""

    extern_uid: str
    user_id: int
    active: bool


class ScimToken(Entity):
    """What the identity provider is configured with; the token itself is shown once, when it is made."""

    scim_api_url: str
    created_at: datetime
    token: str | UnsetType = UNSET


def identity(row: ScimIdentityRow) -> GroupScimIdentity:
    """From a row of `scim_identities`."""
    return GroupScimIdentity(extern_uid=row.extern_uid, user_id=row.user_id, active=row.active)


def scim_token(row: ScimTokenRow, full_path: str, base_url: str, clear: str | UnsetType = UNSET) -> ScimToken:
    """From a row of `scim_tokens`."""
    url = f"{base_url}{BASE}/groups/{quote(full_path)}"
    return ScimToken(scim_api_url=url, created_at=wire(row.created_at), token=clear)
