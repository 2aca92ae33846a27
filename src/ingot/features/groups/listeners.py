"""What registers itself with the departure of users."""

from ingot.features.groups import departure

REGISTERED = (departure,)
