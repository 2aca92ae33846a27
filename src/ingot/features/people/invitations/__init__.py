"""Invitations by e-mail: a role in a group or project for somebody without an account."""

from ingot.features.people.invitations.commands import (
    accept,
    account_of,
    invite,
    is_address,
    open_invitations,
    source_of_invitation,
    withdraw,
)
from ingot.features.people.invitations.rows import OpenInvitationRow
from ingot.features.people.invitations.tables import invitations

__all__ = [
    "OpenInvitationRow", "accept", "account_of", "invitations", "invite", "is_address", "open_invitations",
    "source_of_invitation", "withdraw",
]  # fmt: skip
