"""Labels: the project's own, and those of its groups that something in it bears."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.features.labels import label_priorities, labels
from ingot.features.project_exports.leftovers import kept_for
from ingot.features.project_exports.records import batches, times
from ingot.kit.entity import group_by
from ingot.kit.services import Services


def label_record(row: Any) -> dict[str, Any]:
    """A label, as it stands alone and inside label links."""
    return {
        "title": row.name,
        "color": row.color,
        "project_id": row.project_id,
        "group_id": row.group_id,
        **times(row),
        "template": False,
        "description": row.description,
        "type": "ProjectLabel" if row.project_id is not None else "GroupLabel",
    }


def records(_: Services, conn: Connection, project: Any) -> Iterator[dict[str, Any]]:
    """The project's labels with their ranks."""
    for rows in batches(conn, select(labels).where(labels.c.project_id == project.id), labels.c.id):
        ids = [row.id for row in rows]
        ranks = group_by(
            conn.execute(
                select(label_priorities).where(
                    label_priorities.c.project_id == project.id, label_priorities.c.label_id.in_(ids)
                )
            ),
            lambda rank: rank.label_id,
        )
        kept = kept_for(conn, project.id, "labels", ids)
        for row in rows:
            yield {
                **kept.get(row.id, {}),
                **label_record(row),
                "priorities": [
                    {"project_id": project.id, "priority": rank.priority, **times(row)}
                    for rank in ranks.get(row.id, [])
                ],
            }
