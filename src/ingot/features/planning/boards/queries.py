"""Reading boards, and what they may name."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, select

from ingot.access.call import Call
from ingot.access.levels import GUEST
from ingot.access.subjects import find_group, find_project
from ingot.access.tables import namespace_ancestors
from ingot.features.planning.boards.rows import BoardRow, ListRow
from ingot.features.planning.boards.tables import board_lists, boards
from ingot.features.planning.labels import labels, usable_in_project
from ingot.features.planning.milestones import milestones
from ingot.features.planning.milestones import usable_in_project as milestones_usable_in_project
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.pagination import Keyset

BY_NAME = Keyset(boards.c.name, descending=False, label="name", tie=boards.c.id)
BY_POSITION = Keyset(board_lists.c.position, descending=False, label="position", tie=board_lists.c.id)


def here(call: Call) -> ColumnElement[bool]:
    """Condition on `boards`: of the call's project or group."""
    of_project = call.project_or_none is not None
    column, number = (boards.c.project_id, call.project.id) if of_project else (boards.c.group_id, call.group.id)
    result: ColumnElement[bool] = column == number
    return result


def listed(call: Call) -> Select[Any]:
    """The boards of a place, by name."""
    return select(boards).where(here(call)).order_by(boards.c.name, boards.c.id)


def find(call: Call, conn: Connection, board_id: int) -> BoardRow | None:
    """One board of the place, or None."""
    return conn.execute(select(boards).where(here(call), boards.c.id == board_id)).one_or_none()


def lists_of(board_id: int) -> Select[Any]:
    """The lists of a board, in their order."""
    return (
        select(board_lists).where(board_lists.c.board_id == board_id).order_by(board_lists.c.position, board_lists.c.id)
    )


def find_list(conn: Connection, board_id: int, list_id: int) -> ListRow | None:
    """One list of a board, or None."""
    return conn.execute(lists_of(board_id).where(board_lists.c.id == list_id)).one_or_none()


def usable_labels(call: Call) -> ColumnElement[bool]:
    """Condition on `labels`: those of the place and of the groups above it."""
    if call.project_or_none is not None:
        return usable_in_project(call.project.row)
    return labels.c.group_id.in_(_groups_above(call.group.id))


def usable_milestones(call: Call) -> ColumnElement[bool]:
    """Condition on `milestones`: those of the place and of the groups above it."""
    if call.project_or_none is not None:
        return milestones_usable_in_project(call.project.row)
    return milestones.c.group_id.in_(_groups_above(call.group.id))


def _groups_above(namespace_id: int) -> Select[Any]:
    return select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == namespace_id)


def is_member(call: Call, conn: Connection, user_id: int) -> bool:
    """The user exists and is a member of the place."""
    row = conn.execute(select(users).where(users.c.id == user_id)).one_or_none()
    if row is None:
        return False
    if call.project_or_none is not None:
        project = find_project(conn, actor_of_user(row), call.project.id)
        return project is not None and project.level >= GUEST
    group = find_group(conn, actor_of_user(row), call.group.id)
    return group is not None and group.level >= GUEST
