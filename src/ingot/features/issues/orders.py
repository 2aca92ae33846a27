"""Orders of the lists; ties are broken by the newest id, whatever the direction."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, func, select

from ingot.features.issues.tables import issue_labels, issues
from ingot.features.labels import label_priorities
from ingot.features.milestones import milestones


def _label_priority() -> Any:
    return (
        select(func.min(label_priorities.c.priority))
        .join_from(label_priorities, issue_labels, issue_labels.c.label_id == label_priorities.c.label_id)
        .where(issue_labels.c.issue_id == issues.c.id, label_priorities.c.project_id == issues.c.project_id)
        .scalar_subquery()
    )


def _due() -> Any:
    return select(milestones.c.due_date).where(milestones.c.id == issues.c.milestone_id).scalar_subquery()


KEYS: dict[str, Callable[[], list[Any]]] = {
    "created_at": lambda: [issues.c.created_at],
    "updated_at": lambda: [issues.c.updated_at],
    "title": lambda: [func.lower(issues.c.title)],
    "popularity": lambda: [issues.c.upvotes],
    "due_date": lambda: [issues.c.due_date],
    "weight": lambda: [issues.c.weight],
    "relative_position": lambda: [issues.c.relative_position],
    "milestone_due": lambda: [_due()],
    "label_priority": lambda: [_label_priority()],
    "priority": lambda: [_due(), _label_priority()],
}
NEVER_ABSENT = ("created_at", "updated_at", "title", "popularity")


def ordered(found: Select[Any], order_by: str, sort: str) -> Select[Any]:
    """Apply an order; missing values come last in both directions."""
    for key in KEYS[order_by]():
        if order_by not in NEVER_ABSENT:
            found = found.order_by(key.is_(None))
        found = found.order_by(key.desc() if sort == "desc" else key.asc())
    return found.order_by(issues.c.id.desc())
