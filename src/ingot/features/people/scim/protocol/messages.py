"""The resources and lists that identity providers read."""

from collections.abc import Sequence
from typing import Any

from ingot.features.people.scim.protocol.filters import USER_SCHEMA
from ingot.features.people.scim.rows import ScimPersonRow

LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse"


def person(row: ScimPersonRow) -> dict[str, Any]:
    """An identity with its account. `name.formatted` has the form that GitLab's clients read."""
    return {
        "schemas": [USER_SCHEMA],
        "id": row.extern_uid,
        "externalId": row.extern_uid,
        "active": row.active,
        "name.formatted": row.name,
        "name": {"formatted": row.name},
        "userName": row.username,
        "emails": [{"type": "work", "value": row.email, "primary": True}],
        "meta": {"resourceType": "User"},
    }


def people(total: int, start: int, per_page: int, rows: Sequence[ScimPersonRow]) -> dict[str, Any]:
    """One page of a list."""
    return {
        "schemas": [LIST_SCHEMA],
        "totalResults": total,
        "itemsPerPage": per_page,
        "startIndex": start,
        "Resources": [person(row) for row in rows],
    }
