"""Checking CI configuration without running it."""

from ingot.features.ci.lint.offers import Offers, offers_of

__all__ = ["Offers", "offers_of"]
