"""Lists of issues and merge requests: the filters and orders that both share."""

from ingot.features.planning.issuable_lists.filters import Issuable, user_named
from ingot.features.planning.issuable_lists.orders import Keys, ordered, shared_keys
from ingot.features.planning.issuable_lists.search import columns_of, contains_all, terms_of
from ingot.features.planning.issuable_lists.summaries import label_colours, milestone_progress

__all__ = [
    "Issuable", "Keys", "columns_of", "contains_all", "label_colours", "milestone_progress", "ordered",
    "shared_keys", "terms_of", "user_named",
]  # fmt: skip
