"""Registrations with members."""

from ingot.features.review.unassignment import leaving

REGISTERED = (leaving,)
