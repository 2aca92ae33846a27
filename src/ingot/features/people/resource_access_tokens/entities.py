"""Project and group tokens on the wire: a personal token with its bot's role and project or group."""

from collections.abc import Sequence
from typing import Any

from ingot.access.call import Call
from ingot.features.people.personal_access_tokens import PersonalAccessToken, token_fields
from ingot.features.people.resource_access_tokens.rows import ResourceTokenRow


class ResourceAccessToken(PersonalAccessToken):
    """A token without its value."""

    access_level: int
    resource_type: str
    resource_id: int


class ResourceAccessTokenWithValue(ResourceAccessToken):
    """A new token; `token` is never shown again."""

    token: str


def fields(row: ResourceTokenRow) -> dict[str, Any]:
    """The fields of both forms."""
    is_project = row.project_id is not None
    return {
        **token_fields(row),
        "access_level": row.access_level,
        "resource_type": "project" if is_project else "group",
        "resource_id": row.project_id if is_project else row.group_id,
    }


def present(_: Call, rows: Sequence[ResourceTokenRow]) -> list[ResourceAccessToken]:
    """A page of tokens."""
    return [ResourceAccessToken(**fields(row)) for row in rows]
