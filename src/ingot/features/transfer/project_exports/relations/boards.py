"""Issue boards with their lists."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.planning.boards import ListRow, board_labels, board_lists, boards
from ingot.features.planning.labels import labels
from ingot.features.transfer.project_exports.children import put_back
from ingot.features.transfer.project_exports.leftovers import preserved_for, preserved_records
from ingot.features.transfer.project_exports.records import batches, times
from ingot.features.transfer.project_exports.relations.labels import label_record, ranks_of, written_ranks
from ingot.features.transfer.project_exports.relations.milestones import milestones_by_id
from ingot.kit.entity import group_by
from ingot.kit.services import Services

LIMITS = {"max_issue_count": 0, "max_issue_weight": 0}  # of lists, unless an import brought others


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's boards, and those that came when boards were only preserved."""
    yield from preserved_records(conn, project.id, "boards")
    for rows in batches(conn, select(boards).where(boards.c.project_id == project.id), boards.c.id):
        ids = [row.id for row in rows]
        remaining = preserved_for(conn, project.id, "boards", ids)
        table = board_lists
        query = select(table).where(table.c.board_id.in_(ids)).order_by(table.c.position, table.c.id)
        lists = conn.execute(query).all()
        shown = conn.execute(select(board_labels).where(board_labels.c.board_id.in_(ids))).all()
        titles = _labels(conn, project.id, {one.label_id for one in (*lists, *shown)} - {None})
        milestones = milestones_by_id(conn, project.id, {one.milestone_id for one in (*rows, *lists)} - {None})
        lists_of = group_by(lists, lambda one: one.board_id)
        labels_of = group_by(shown, lambda one: one.board_id)
        for row in rows:
            rest = remaining.get(row.id, {})
            written = [_list(one, titles, milestones) for one in lists_of.get(row.id, [])]
            record = {
                **rest,
                "name": row.name,
                "project_id": row.project_id,
                "group_id": None,
                "weight": row.weight,
                "assignee_id": row.assignee_id,
                "hide_backlog_list": row.hide_backlog_list,
                "hide_closed_list": row.hide_closed_list,
                **times(row),
                "labels": [titles[one.label_id] for one in labels_of.get(row.id, [])],
                "lists": [*rest.get("lists", []), *written],
            }
            if row.milestone_id in milestones:
                record["milestone"] = milestones[row.milestone_id]
            put_back(record, record)
            yield record


def _labels(conn: Connection, project_id: int, ids: Collection[int]) -> dict[int, dict[str, Any]]:
    ranks = ranks_of(conn, project_id, ids)
    rows = conn.execute(select(labels).where(labels.c.id.in_(ids)))
    return {row.id: {**label_record(row), "priorities": written_ranks(row, ranks)} for row in rows}


def _list(
    row: ListRow, titles: Mapping[int, Mapping[str, object]], milestones: Mapping[int, Mapping[str, object]]
) -> dict[str, Any]:
    kind = "label" if row.label_id is not None else "assignee" if row.assignee_id is not None else "milestone"
    record: dict[str, Any] = {
        "list_type": kind,
        "position": row.position,
        "user_id": row.assignee_id,
        **times(row),
        **LIMITS,
    }
    if row.label_id is not None:
        record["label"] = titles[row.label_id]
    if row.milestone_id is not None and row.milestone_id in milestones:
        record["milestone"] = milestones[row.milestone_id]
    return record
