"""Parameters of the board endpoints."""

from typing import ClassVar

from ingot.kit.params import CursorPaging, Param, Params


class ListBoards(CursorPaging):
    """A page of boards."""


class BoardPath(Params):
    """One board."""

    board_id: int = Param("The board's id.", required=True)


class CreateBoard(Params):
    """A new board."""

    name: str = Param("Name.", required=True)


class UpdateBoard(BoardPath):
    """Changes of a board. What it shows can be limited on paid tiers only."""

    name: str | None = Param("Name.")
    hide_backlog_list: bool | None = Param("Leave out the list of open issues.")
    hide_closed_list: bool | None = Param("Leave out the list of closed issues.")
    assignee_id: int | None = Param("Show the issues of this assignee only; 0 or empty for all.")
    milestone_id: int | None = Param("Show the issues of this milestone only; 0 or empty for all.")
    labels: list[str] = Param("Show issues with all these labels only; empty for all.", comma=True)
    weight: int | None = Param("Show issues of this weight only; empty for all.")


class ListLists(CursorPaging, BoardPath):
    """A page of the lists of a board."""


class ListPath(BoardPath):
    """One list of a board."""

    list_id: int = Param("The list's id.", required=True)


class CreateList(BoardPath):
    """A new list. Those of assignees and milestones need a paid tier."""

    label_id: int | None = Param("Issues with this label.")
    assignee_id: int | None = Param("Issues of this assignee.")
    milestone_id: int | None = Param("Issues of this milestone.")
    exactly_one: ClassVar[tuple[str, ...]] = ("label_id", "assignee_id", "milestone_id")


class MoveList(ListPath):
    """Where a list stands."""

    position: int = Param("The new position, from 0.", required=True)
