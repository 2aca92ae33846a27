"""Invitations by e-mail: a role in a group or project for somebody without an account."""

from ingot.features.people.invitations.commands import account_of, invite, is_address
from ingot.features.people.invitations.tables import invitations

__all__ = ["account_of", "invitations", "invite", "is_address"]
