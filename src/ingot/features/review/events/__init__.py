"""Events: user activity that the caller may see."""

from ingot.features.review.events.contributions import contributions_of
from ingot.features.review.events.of_groups import events_of_group
from ingot.features.review.events.queries import gone_wiki_pages

__all__ = ["contributions_of", "events_of_group", "gone_wiki_pages"]
