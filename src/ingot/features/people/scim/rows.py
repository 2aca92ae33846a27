"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol

from ingot.identity.rows import ScimIdentityRow


class ScimPersonRow(ScimIdentityRow, Protocol):
    """An identity with its account."""

    username: str
    name: str
    email: str


class ScimProviderRow(Protocol):
    """The provider of the group that a token opens, with the group's path and name."""

    id: int
    group_id: int
    enabled: bool
    default_membership_role: int
    full_path_lower: str
    group_name: str


class ScimTokenRow(Protocol):
    """A row of `scim_tokens`."""

    group_id: int
    digest: str
    created_at: datetime
