"""Accounts take up the invitations to their address."""

from ingot.features.people.invitations.commands import take_up
from ingot.features.people.users import when_address_is_confirmed

when_address_is_confirmed(take_up)
