"""Orders of the lists; ties are broken by the newest id, whatever the direction."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, func, select

from ingot.features.award_emoji import award_emoji
from ingot.features.labels import label_priorities
from ingot.features.merge_requests.tables import merge_request_labels, merge_requests
from ingot.features.milestones import milestones


def _label_priority() -> Any:
    return (
        select(func.min(label_priorities.c.priority))
        .join_from(
            label_priorities, merge_request_labels, merge_request_labels.c.label_id == label_priorities.c.label_id
        )
        .where(
            merge_request_labels.c.merge_request_id == merge_requests.c.id,
            label_priorities.c.project_id == merge_requests.c.project_id,
        )
        .scalar_subquery()
    )


def _due() -> Any:
    return select(milestones.c.due_date).where(milestones.c.id == merge_requests.c.milestone_id).scalar_subquery()


def _popularity() -> Any:
    return (
        select(func.count())
        .where(
            award_emoji.c.awardable_type == "MergeRequest",
            award_emoji.c.awardable_id == merge_requests.c.id,
            award_emoji.c.name == "thumbsup",
        )
        .scalar_subquery()
    )


KEYS: dict[str, Callable[[], list[Any]]] = {
    "created_at": lambda: [merge_requests.c.created_at],
    "updated_at": lambda: [merge_requests.c.updated_at],
    "title": lambda: [func.lower(merge_requests.c.title)],
    "merged_at": lambda: [merge_requests.c.merged_at],
    "milestone_due": lambda: [_due()],
    "popularity": lambda: [_popularity()],
    "label_priority": lambda: [_label_priority()],
    "priority": lambda: [_due(), _label_priority()],
}


def ordered(found: Select[Any], order_by: str, sort: str) -> Select[Any]:
    """Apply an order; missing values come last in both directions."""
    for key in KEYS[order_by]():
        if order_by not in ("created_at", "updated_at", "title", "popularity"):
            found = found.order_by(key.is_(None))
        found = found.order_by(key.desc() if sort == "desc" else key.asc())
    return found.order_by(merge_requests.c.id.desc())
