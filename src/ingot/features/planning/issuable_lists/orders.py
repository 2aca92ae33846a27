"""Orders of the lists; ties are broken by the newest id, whatever the direction."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select

from ingot.features.planning.issuable_lists.filters import Issuable
from ingot.features.planning.labels import label_priorities
from ingot.features.planning.milestones import milestones

NEVER_ABSENT = ("created_at", "updated_at", "title", "popularity")
Keys = Mapping[str, Callable[[], list[ColumnElement[Any]]]]


def shared_keys(kind: Issuable) -> dict[str, Callable[[], list[ColumnElement[Any]]]]:
    """What both lists can be ordered by."""
    columns = kind.table.c

    def label_priority() -> Any:
        links = kind.labels
        return (
            select(func.min(label_priorities.c.priority))
            .join_from(label_priorities, links, links.c.label_id == label_priorities.c.label_id)
            .where(kind.owns(links), label_priorities.c.project_id == columns.project_id)
            .scalar_subquery()
        )

    def due() -> Any:
        return select(milestones.c.due_date).where(milestones.c.id == columns.milestone_id).scalar_subquery()

    return {
        "created_at": lambda: [columns.created_at],
        "updated_at": lambda: [columns.updated_at],
        "title": lambda: [func.lower(columns.title)],
        "popularity": lambda: [columns.upvotes],
        "milestone_due": lambda: [due()],
        "label_priority": lambda: [label_priority()],
        "priority": lambda: [due(), label_priority()],
    }


def ordered(query: Select[Any], kind: Issuable, keys: Keys, order_by: str, sort: str) -> Select[Any]:
    """Apply an order; missing values come last in both directions."""
    for key in keys[order_by]():
        if order_by not in NEVER_ABSENT:
            query = query.order_by(key.is_(None))
        query = query.order_by(key.desc() if sort == "desc" else key.asc())
    return query.order_by(kind.table.c.id.desc())
