"""What registers itself with members."""

from ingot.features.unassignment import leaving

REGISTERED = (leaving,)
