"""Registrations with users."""

from sqlalchemy import Connection

from ingot.features.people.saml.commands.provider import ensure_provider
from ingot.features.people.users import group_provider_source


@group_provider_source
def provider_of_group(tx: Connection, group_id: int) -> int:
    """The id of the group's provider; a disabled, empty one is created if missing."""
    return int(ensure_provider(tx, group_id).id)
