"""New accounts accept the invitations to their address."""

from ingot.features.people.invitations.commands import accept_invitations
from ingot.features.people.users import when_address_is_confirmed

when_address_is_confirmed(accept_invitations)
