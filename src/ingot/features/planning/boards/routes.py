"""Endpoints of boards: the same ten for projects and groups."""

from ingot.access.call import Call
from ingot.features.planning.boards import commands, queries
from ingot.features.planning.boards.entities import Board, BoardList, present, present_lists
from ingot.features.planning.boards.params import (
    BoardPath,
    CreateBoard,
    CreateList,
    ListBoards,
    ListLists,
    ListPath,
    MoveList,
    UpdateBoard,
)
from ingot.features.planning.boards.policy import ADMIN_BOARDS, ADMIN_GROUP_BOARDS, READ_BOARDS, READ_GROUP_BOARDS
from ingot.features.planning.boards.rows import BoardRow, ListRow
from ingot.features.planning.boards.tables import board_lists, boards
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import RecordNotFound

routes = Routes("Issue boards")
PROJECT, GROUP = "/projects/{id}/boards", "/groups/{id}/boards"
ONE, LISTS, ONE_LIST = "/{board_id}", "/{board_id}/lists", "/{board_id}/lists/{list_id}"


def _find(call: Call[BoardPath]) -> BoardRow:
    row = queries.find(call, call.conn, call.params.board_id)
    if row is None:
        raise RecordNotFound
    return row


def _show(call: Call, board_id: int) -> Board:
    row = queries.find(call, call.conn, board_id)
    if row is None:  # removed by somebody else meanwhile
        raise RecordNotFound
    return present(call, [row])[0]


def _find_list(call: Call[BoardPath], list_id: int) -> ListRow:
    row = queries.find_list(call.conn, _find(call).id, list_id)
    if row is None:
        raise RecordNotFound
    return row


def _create(call: Call[CreateBoard]) -> Board:
    with call.write() as tx:
        board_id = commands.create_board(tx, call, call.params.name)
    return _show(call, board_id)


def _update(call: Call[UpdateBoard]) -> Board:
    row = _find(call)
    with call.write() as tx:
        commands.update_board(tx, call, row, call.params)
    return _show(call, row.id)


def _delete(call: Call[BoardPath]) -> None:
    row = _find(call)
    with call.write() as tx:
        call.delete_rows(tx, boards, boards.c.id == row.id)


def _create_list(call: Call[CreateList]) -> BoardList:
    row = _find(call)
    with call.write() as tx:
        list_id = commands.create_list(tx, call, row, call.params)
    return present_lists(call, [_find_list(call, list_id)])[0]


def _move_list(call: Call[MoveList]) -> BoardList:
    board, row = _find(call), _find_list(call, call.params.list_id)
    with call.write() as tx:
        commands.move_list(tx, board, row, call.params.position)
    return present_lists(call, [_find_list(call, row.id)])[0]


def _delete_list(call: Call[ListPath]) -> None:
    row = _find_list(call, call.params.list_id)
    with call.write() as tx:
        call.delete_rows(tx, board_lists, board_lists.c.id == row.id)
        commands.close_gaps(tx, row.board_id)


@routes.get(PROJECT, guard=READ_BOARDS, params=ListBoards, returns=list[Board])
def list_project_boards(call: Call[ListBoards]) -> Answer:
    """Boards of a project."""
    return call.page(queries.listed(call), present, keyset=queries.BY_NAME)


@routes.get(PROJECT + ONE, guard=READ_BOARDS, params=BoardPath, returns=Board)
def get_project_board(call: Call[BoardPath]) -> Answer:
    """One board of a project."""
    return present(call, [_find(call)])[0]


@routes.post(PROJECT, guard=ADMIN_BOARDS, params=CreateBoard, returns=Board)
def create_project_board(call: Call[CreateBoard]) -> Answer:
    """Add a board to a project (Planners)."""
    return _create(call)


@routes.put(PROJECT + ONE, guard=ADMIN_BOARDS, params=UpdateBoard, returns=Board)
def update_project_board(call: Call[UpdateBoard]) -> Answer:
    """Change a board of a project (Planners)."""
    return _update(call)


@routes.delete(PROJECT + ONE, guard=ADMIN_BOARDS, params=BoardPath)
def delete_project_board(call: Call[BoardPath]) -> None:
    """Remove a board from a project (Planners)."""
    _delete(call)


@routes.get(PROJECT + LISTS, guard=READ_BOARDS, params=ListLists, returns=list[BoardList])
def list_project_board_lists(call: Call[ListLists]) -> Answer:
    """Lists of a board of a project, in their order."""
    return call.page(queries.lists_of(_find(call).id), present_lists, keyset=queries.BY_POSITION)


@routes.get(PROJECT + ONE_LIST, guard=READ_BOARDS, params=ListPath, returns=BoardList)
def get_project_board_list(call: Call[ListPath]) -> Answer:
    """One list of a board of a project."""
    return present_lists(call, [_find_list(call, call.params.list_id)])[0]


@routes.post(PROJECT + LISTS, guard=ADMIN_BOARDS, params=CreateList, returns=BoardList)
def create_project_board_list(call: Call[CreateList]) -> Answer:
    """Add a list to a board of a project (Planners)."""
    return _create_list(call)


@routes.put(PROJECT + ONE_LIST, guard=ADMIN_BOARDS, params=MoveList, returns=BoardList)
def move_project_board_list(call: Call[MoveList]) -> Answer:
    """Move a list of a board of a project (Planners)."""
    return _move_list(call)


@routes.delete(PROJECT + ONE_LIST, guard=ADMIN_BOARDS, params=ListPath)
def delete_project_board_list(call: Call[ListPath]) -> None:
    """Remove a list from a board of a project (Planners)."""
    _delete_list(call)


@routes.get(GROUP, guard=READ_GROUP_BOARDS, params=ListBoards, returns=list[Board])
def list_group_boards(call: Call[ListBoards]) -> Answer:
    """Boards of a group."""
    return call.page(queries.listed(call), present, keyset=queries.BY_NAME)


@routes.get(GROUP + ONE, guard=READ_GROUP_BOARDS, params=BoardPath, returns=Board)
def get_group_board(call: Call[BoardPath]) -> Answer:
    """One board of a group."""
    return present(call, [_find(call)])[0]


@routes.post(GROUP, guard=ADMIN_GROUP_BOARDS, params=CreateBoard, returns=Board)
def create_group_board(call: Call[CreateBoard]) -> Answer:
    """Add a board to a group (Planners; several need a paid tier)."""
    return _create(call)


@routes.put(GROUP + ONE, guard=ADMIN_GROUP_BOARDS, params=UpdateBoard, returns=Board)
def update_group_board(call: Call[UpdateBoard]) -> Answer:
    """Change a board of a group (Planners)."""
    return _update(call)


@routes.delete(GROUP + ONE, guard=ADMIN_GROUP_BOARDS, params=BoardPath)
def delete_group_board(call: Call[BoardPath]) -> None:
    """Remove a board from a group (Planners)."""
    _delete(call)


@routes.get(GROUP + LISTS, guard=READ_GROUP_BOARDS, params=ListLists, returns=list[BoardList])
def list_group_board_lists(call: Call[ListLists]) -> Answer:
    """Lists of a board of a group, in their order."""
    return call.page(queries.lists_of(_find(call).id), present_lists, keyset=queries.BY_POSITION)


@routes.get(GROUP + ONE_LIST, guard=READ_GROUP_BOARDS, params=ListPath, returns=BoardList)
def get_group_board_list(call: Call[ListPath]) -> Answer:
    """One list of a board of a group."""
    return present_lists(call, [_find_list(call, call.params.list_id)])[0]


@routes.post(GROUP + LISTS, guard=ADMIN_GROUP_BOARDS, params=CreateList, returns=BoardList)
def create_group_board_list(call: Call[CreateList]) -> Answer:
    """Add a list to a board of a group (Planners)."""
    return _create_list(call)


@routes.put(GROUP + ONE_LIST, guard=ADMIN_GROUP_BOARDS, params=MoveList, returns=BoardList)
def move_group_board_list(call: Call[MoveList]) -> Answer:
    """Move a list of a board of a group (Planners)."""
    return _move_list(call)


@routes.delete(GROUP + ONE_LIST, guard=ADMIN_GROUP_BOARDS, params=ListPath)
def delete_group_board_list(call: Call[ListPath]) -> None:
    """Remove a list from a board of a group (Planners)."""
    _delete_list(call)
