"""Events: user activity that the caller may see."""

from ingot.features.review.events.contributions import contributions_of
from ingot.features.review.events.of_groups import events_of_group

__all__ = ["contributions_of", "events_of_group"]
