"""Labels: the project's own, and group labels that are used in it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Protocol

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.planning.labels import LabelRow, label_priorities, labels
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, times
from ingot.kit.entity import group_by
from ingot.kit.services import Services


def label_record(row: LabelRow, remaining: Mapping[str, object] | None = None) -> dict[str, Any]:
    """A label, as it stands alone and inside label links."""
    return {
        "template": False,
        **(remaining or {}),
        "title": row.name,
        "color": row.color,
        "project_id": row.project_id,
        "group_id": row.group_id,
        **times(row),
        "description": row.description,
        "type": "ProjectLabel" if row.project_id is not None else "GroupLabel",
    }


class LabelRank(Protocol):
    """A row of `label_priorities`."""

    project_id: int
    label_id: int
    priority: int


def ranks_of(conn: Connection, project_id: int, ids: Collection[int]) -> dict[int, list[LabelRank]]:
    """How the project ranks these labels."""
    table = label_priorities
    query = select(table).where(table.c.project_id == project_id, table.c.label_id.in_(list(ids)))
    return group_by(conn.execute(query), lambda rank: rank.label_id)


def written_ranks(row: LabelRow, ranks: dict[int, list[LabelRank]]) -> list[dict[str, Any]]:
    """`priorities` of a label."""
    return [{"project_id": rank.project_id, "priority": rank.priority, **times(row)} for rank in ranks.get(row.id, [])]


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's labels with their ranks."""
    for rows in batches(conn, select(labels).where(labels.c.project_id == project.id), labels.c.id):
        ids = [row.id for row in rows]
        ranks = ranks_of(conn, project.id, ids)
        remaining = preserved_for(conn, project.id, "labels", ids)
        for row in rows:
            yield {**label_record(row, remaining.get(row.id)), "priorities": written_ranks(row, ranks)}
