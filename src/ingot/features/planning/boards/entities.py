"""Boards and lists on the wire."""

from collections.abc import Sequence

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.tables import namespaces
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.boards.rows import BoardRow, ListRow
from ingot.features.planning.boards.tables import board_labels, board_lists
from ingot.features.planning.labels import LabelDetail, label_detail, labels
from ingot.features.planning.milestones import Milestone, milestones_by_id
from ingot.features.spaces.projects import ProjectSimple, simple_by_id
from ingot.kit.entity import UNSET, Entity, UnsetType, group_by


class BoardGroup(Entity):
    """The group of a board."""

    id: int
    web_url: str
    name: str


class BoardList(Entity, kw_only=True):
    """A list of a board: of a label, an assignee or a milestone."""

    id: int
    label: LabelDetail | None
    position: int
    max_issue_count: int = 0
    max_issue_weight: int = 0
    limit_metric: str | None = None
    assignee: UserBasic | UnsetType | None = UNSET
    milestone: Milestone | UnsetType | None = UNSET


class Board(Entity):
    """A board with its lists."""

    id: int
    name: str
    hide_backlog_list: bool
    hide_closed_list: bool
    project: ProjectSimple | None
    group: BoardGroup | None
    milestone: Milestone | None
    assignee: UserBasic | None
    labels: list[LabelDetail]
    weight: int | None
    lists: list[BoardList]


def present_lists(call: Call, rows: Sequence[ListRow]) -> list[BoardList]:
    """A page of lists."""
    details = _labels(call, [row.label_id for row in rows if row.label_id is not None])
    people = users_by_id(call.conn, (row.assignee_id for row in rows), call.base_url)
    planned = milestones_by_id(call.conn, (row.milestone_id for row in rows), call.base_url)
    result = []
    for row in rows:
        shown = BoardList(id=row.id, label=details.get(row.label_id or 0), position=row.position)
        if row.assignee_id is not None:
            shown.assignee = people.get(row.assignee_id)
        if row.milestone_id is not None:
            shown.milestone = planned.get(row.milestone_id)
        result.append(shown)
    return result


def present(call: Call, rows: Sequence[BoardRow]) -> list[Board]:
    """A page of boards with all their lists."""
    ids = [row.id for row in rows]
    table = board_lists
    query = select(table).where(table.c.board_id.in_(ids)).order_by(table.c.position, table.c.id)
    lists = call.conn.execute(query).all()
    shown = {one.id: one for one in present_lists(call, lists)}
    lists_of = group_by(lists, lambda one: one.board_id)
    pairs = call.conn.execute(select(board_labels).where(board_labels.c.board_id.in_(ids))).all()
    labels_of = group_by(pairs, lambda pair: pair.board_id)
    details = _labels(call, [pair.label_id for pair in pairs])
    people = users_by_id(call.conn, (row.assignee_id for row in rows), call.base_url)
    planned = milestones_by_id(call.conn, (row.milestone_id for row in rows), call.base_url)
    projects = simple_by_id(call.conn, call.actor, call.base_url, (row.project_id for row in rows))
    group = _group(call)
    return [
        Board(
            id=row.id,
            name=row.name,
            hide_backlog_list=row.hide_backlog_list,
            hide_closed_list=row.hide_closed_list,
            project=projects.get(row.project_id or 0),
            group=group,
            milestone=planned.get(row.milestone_id or 0),
            assignee=people.get(row.assignee_id or 0),
            labels=[details[pair.label_id] for pair in labels_of.get(row.id, [])],
            weight=row.weight,
            lists=[shown[one.id] for one in lists_of.get(row.id, [])],
        )
        for row in rows
    ]


def _group(call: Call) -> BoardGroup | None:
    if call.project_or_none is not None:
        return None
    row = call.conn.execute(select(namespaces.c.name, namespaces.c.full_path).where(namespaces.c.id == call.group.id))
    name, full_path = row.one()
    return BoardGroup(id=call.group.id, web_url=f"{call.base_url}/groups/{full_path}", name=name)


def _labels(call: Call, ids: Sequence[int]) -> dict[int, LabelDetail]:
    if not ids:
        return {}
    return {row.id: label_detail(row) for row in call.conn.execute(select(labels).where(labels.c.id.in_(ids)))}
