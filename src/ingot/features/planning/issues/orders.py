"""Orders of the lists: the shared ones, and those that only issues have."""

from typing import Any

from sqlalchemy import Select

from ingot.features.planning import issuable_lists
from ingot.features.planning.issues.filters import ISSUES
from ingot.features.planning.issues.tables import issues

KEYS: issuable_lists.Keys = {
    **issuable_lists.shared_keys(ISSUES),
    "due_date": lambda: [issues.c.due_date],
    "weight": lambda: [issues.c.weight],
    "relative_position": lambda: [issues.c.relative_position],
}


def ordered(query: Select[Any], order_by: str, sort: str) -> Select[Any]:
    """Apply an order; missing values come last in both directions."""
    return issuable_lists.ordered(query, ISSUES, KEYS, order_by, sort)
