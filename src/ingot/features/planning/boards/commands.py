"""Changing boards and lists."""

from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from ingot.access.call import Call
from ingot.features.planning.boards import queries
from ingot.features.planning.boards.params import CreateList, UpdateBoard
from ingot.features.planning.boards.rows import BoardRow, ListRow
from ingot.features.planning.boards.tables import board_labels, board_lists, boards
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.kit.clock import now
from ingot.kit.db import hold_row, take_turn
from ingot.kit.errors import Body, Forbidden, Invalid

LONGEST_NAME = 255
MOST_WEIGHT = 2**31 - 1
SCOPE = ("assignee_id", "milestone_id", "labels", "weight")


def refuse(text: str) -> Body:
    """The wrapped form of this family's errors."""
    return Body(400, {"message": {"error": text}})


def create_board(tx: Connection, call: Call, name: str) -> int:
    """A new board; a second one of a group needs a paid tier."""
    _check_name(name)
    if call.project_or_none is None and not call.services.settings.has_tier("premium"):
        take_turn(tx, f"boards:{call.group.id}")
        if tx.execute(select(boards.c.id).where(queries.here(call)).limit(1)).first() is not None:
            raise Forbidden
    place = {"project_id": call.project.id} if call.project_or_none is not None else {"group_id": call.group.id}
    created = insert(boards).values(**place, name=name, created_at=now(), updated_at=now())
    return int(tx.execute(created.returning(boards.c.id)).scalar_one())


def update_board(tx: Connection, call: Call, board: BoardRow, options: UpdateBoard) -> None:
    """Change what was sent; on the free tier a board shows all issues."""
    given = {name for name in options.sent if name != "board_id"}
    if not call.services.settings.has_tier("premium"):
        given -= set(SCOPE)
    values: dict[str, Any] = {
        name: getattr(options, name) for name in ("hide_backlog_list", "hide_closed_list") if name in given
    }
    values = {name: value for name, value in values.items() if value is not None}
    if "name" in given:
        _check_name(options.name or "")
        values["name"] = options.name
    if "assignee_id" in given:
        values["assignee_id"] = _assignee(tx, call, options.assignee_id)
    if "milestone_id" in given:
        values["milestone_id"] = _milestone(tx, call, options.milestone_id)
    if "weight" in given:
        values["weight"] = _weight(options.weight)
    if "labels" in given:
        _replace_labels(tx, call, board.id, options.labels)
    tx.execute(update(boards).where(boards.c.id == board.id).values(**values, updated_at=now()))


def _check_name(name: str) -> None:
    if not name.strip():
        raise Invalid({"name": ["can't be blank"]})
    if len(name) > LONGEST_NAME:
        raise Invalid({"name": [f"is too long (maximum is {LONGEST_NAME} characters)"]})


def _weight(weight: int | None) -> int | None:
    if weight is not None and not 0 <= weight <= MOST_WEIGHT:
        raise Invalid({"weight": ["must be greater than or equal to 0"]})
    return weight


def _assignee(tx: Connection, call: Call, user_id: int | None) -> int | None:
    if not user_id:
        return None
    if not queries.is_member(call, tx, user_id):
        raise refuse("User not found!")
    return user_id


def _milestone(tx: Connection, call: Call, milestone_id: int | None) -> int | None:
    if not milestone_id:
        return None
    usable = select(milestones.c.id).where(queries.usable_milestones(call), milestones.c.id == milestone_id)
    if tx.execute(usable).first() is None:
        raise refuse("Milestone not found!")
    return milestone_id


def _label(tx: Connection, call: Call, label_id: int) -> int:
    usable = select(labels.c.id).where(queries.usable_labels(call), labels.c.id == label_id)
    if tx.execute(usable).first() is None:
        raise refuse("Label not found!")
    return label_id


def _replace_labels(tx: Connection, call: Call, board_id: int, names: list[str]) -> None:
    """Labels that the place does not have are passed over, as in the filters of issues."""
    wanted = [name.strip() for name in names]
    label_ids = tx.execute(select(labels.c.id).where(queries.usable_labels(call), labels.c.name.in_(wanted))).scalars()
    tx.execute(delete(board_labels).where(board_labels.c.board_id == board_id))
    for label_id in sorted(label_ids):
        tx.execute(insert(board_labels).values(board_id=board_id, label_id=label_id))


def create_list(tx: Connection, call: Call, board: BoardRow, options: CreateList) -> int:
    """A new list behind the others."""
    if options.label_id is None and not call.services.settings.has_tier("premium"):
        raise Forbidden
    hold_row(tx, boards, board.id)
    values: dict[str, int | None] = {}
    if options.label_id is not None:
        values = {"label_id": _label(tx, call, options.label_id)}
    elif options.assignee_id is not None:
        values = {"assignee_id": _assignee(tx, call, options.assignee_id or -1)}
    else:
        values = {"milestone_id": _milestone(tx, call, options.milestone_id or -1)}
    [(name, number)] = values.items()
    mine = board_lists.c.board_id == board.id
    if tx.execute(select(board_lists.c.id).where(mine, board_lists.c[name] == number)).first() is not None:
        raise Invalid({name.removesuffix("_id"): ["has already been taken"]})
    last = tx.execute(select(func.max(board_lists.c.position)).where(mine)).scalar_one()
    position = 0 if last is None else last + 1
    row = {**values, "board_id": board.id, "position": position, "created_at": now(), "updated_at": now()}
    return int(tx.execute(insert(board_lists).values(row).returning(board_lists.c.id)).scalar_one())


def move_list(tx: Connection, board: BoardRow, row: ListRow, position: int) -> None:
    """Put a list elsewhere; the others make room."""
    hold_row(tx, boards, board.id)
    order = [one.id for one in tx.execute(queries.lists_of(board.id)) if one.id != row.id]
    if not 0 <= position <= len(order):
        raise refuse("List could not be moved!")
    order.insert(position, row.id)
    _number(tx, order)


def close_gaps(tx: Connection, board_id: int) -> None:
    """Number the remaining lists anew."""
    _number(tx, [one.id for one in tx.execute(queries.lists_of(board_id))])


def _number(tx: Connection, order: list[int]) -> None:
    for position, list_id in enumerate(order):
        changed = (board_lists.c.id == list_id) & (board_lists.c.position != position)
        tx.execute(update(board_lists).where(changed).values(position=position, updated_at=now()))
