"""Changes sent by the identity provider: the external UID, the state, and the account's profile."""

from typing import Any

from sqlalchemy import Connection

from ingot.features.people.saml import free_username
from ingot.features.people.scim.commands.identities import rename
from ingot.features.people.scim.commands.membership import set_active
from ingot.features.people.scim.errors import UidTaken, invalid_value, taken
from ingot.features.people.scim.protocol.attributes import PersonChange
from ingot.features.people.scim.rows import ScimPersonRow, ScimProviderRow
from ingot.features.people.users import edit_user, get_user, problems_of
from ingot.kit.errors import Conflict


def change(tx: Connection, provider: ScimProviderRow, person: ScimPersonRow, options: PersonChange) -> bool:
    """Apply what was sent, all or nothing; whether a membership changed."""
    if options.uid is not None and options.uid != person.extern_uid:
        try:
            rename(tx, person, options.uid)
        except UidTaken as error:
            raise taken(error.text) from None
    _edit_account(tx, provider, person, options)
    return options.active is not None and set_active(tx, provider, person, active=options.active)


def _edit_account(tx: Connection, provider: ScimProviderRow, person: ScimPersonRow, options: PersonChange) -> None:
    """Name, user name and address of accounts that this very group has made; other accounts are left alone.

    Such an account can be entered through the group's provider anyway. Changing anybody else's address would be a way
    to take their account, so it is passed over, as are accounts that have become administrators since.
    """
    row = get_user(tx, person.user_id)
    if row.is_admin or row.profile.get("provisioned_by_group_id") != provider.group_id:
        return
    values: dict[str, Any] = {}
    if options.name and options.name[:255] != row.name:
        values["name"] = options.name[:255]
    if options.email and options.email.lower() != row.email_lower:
        if problems := problems_of({"email": options.email}):
            raise invalid_value(f"Email {problems['email'][0]}")
        # Only the provider claims the new address, so it is not confirmed.
        values |= {"email": options.email, "confirmed_at": None}
    if options.username:
        username = free_username(tx, options.username, except_id=row.id)
        if username.lower() != row.username_lower:
            values["username"] = username
    if not values:
        return
    try:
        edit_user(tx, row, values)
    except Conflict as error:
        raise taken(error.text) from None
