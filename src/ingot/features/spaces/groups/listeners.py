"""What registers itself with the departure of users."""

from ingot.features.spaces.groups import departure

REGISTERED = (departure,)
