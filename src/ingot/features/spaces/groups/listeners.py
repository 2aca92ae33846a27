"""Registrations with the removal of users."""

from ingot.features.spaces.groups import departure

REGISTERED = (departure,)
