"""What issues and merge requests have in common: the filters and orders of their lists, parts of their answers."""

from ingot.features.issuables.entities import References, TaskCompletion
from ingot.features.issuables.filters import Issuable, user_named
from ingot.features.issuables.orders import ordered, shared_keys
from ingot.features.issuables.search import columns_of, contains_all, terms_of

__all__ = [
    "Issuable", "References", "TaskCompletion", "columns_of", "contains_all", "ordered", "shared_keys",
    "terms_of", "user_named",
]  # fmt: skip
