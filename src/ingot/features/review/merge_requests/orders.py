"""Orders of the lists: the shared ones, and when requests were merged."""

from typing import Any

from sqlalchemy import Select

from ingot.features.planning import issuable_lists
from ingot.features.review.merge_requests.filters import REQUESTS
from ingot.features.review.merge_requests.tables import merge_requests

KEYS: issuable_lists.Keys = {**issuable_lists.shared_keys(REQUESTS), "merged_at": lambda: [merge_requests.c.merged_at]}


def ordered(query: Select[Any], order_by: str, sort: str) -> Select[Any]:
    """Apply an order; missing values come last in both directions."""
    return issuable_lists.ordered(query, REQUESTS, KEYS, order_by, sort)
