"""Events: user activity that the caller may see."""

from ingot.features.review.events.contributions import contributions_of

__all__ = ["contributions_of"]
