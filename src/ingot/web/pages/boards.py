"""Boards: issues in columns, of projects and of groups."""

import msgspec
from starlette.responses import Response

from ingot.access.policy import READ_GROUP, READ_ISSUES
from ingot.kit.errors import NotFound
from ingot.web.answers import Board, BoardList
from ingot.web.call import PageCall, Rows, View
from ingot.web.frames import group_view, project_view
from ingot.web.guards import InGroup, InProject
from ingot.web.registry import Pages
from ingot.web.sending import done

project = Pages("project")
group = Pages("group")
A_COLUMN = 20


class Column(msgspec.Struct, frozen=True):
    """A column of issues; `entry` is the board's own list, None for open and closed ones."""

    title: str
    entry: BoardList | None
    rows: Rows

    @property
    def key(self) -> str:
        """How forms name it."""
        return self.title.lower() if self.entry is None else str(self.entry["id"])


def declare(pages: Pages, place: str) -> None:
    """Register the boards of one kind of place."""
    base = f"/{place}s/:id"
    guard = InProject(READ_ISSUES) if place == "project" else InGroup(READ_GROUP)
    writers = InProject(READ_ISSUES, needs_user=True) if place == "project" else InGroup(READ_GROUP, needs_user=True)
    view = project_view if place == "project" else group_view

    def show(call: PageCall, board: Board | None, boards: list[Board]) -> View:
        return view(
            call, "board", "issues", board=board, boards=boards, columns=_columns(call, base, board),
            can_write=call.may("POST", f"{base}/boards"), labels=call.ask_or_none(f"{base}/labels", per_page="100"),
        )  # fmt: skip

    def show_first_board(call: PageCall) -> View:
        """The first board."""
        boards = call.ask(f"{base}/boards")
        return show(call, boards[0] if boards else None, boards)

    def show_board(call: PageCall) -> View:
        """One board."""
        board = call.ask(f"{base}/boards/:board_id", board_id=call.path["number"])
        return show(call, board, call.ask(f"{base}/boards"))

    def create_board(call: PageCall) -> Response:
        """Make a board."""
        board = call.ask(f"{base}/boards", "POST", name=call.values.get("name", ""))
        return _to_board(call, board["id"], "Board created.")

    def add_column(call: PageCall) -> Response:
        """Add the column of a label."""
        number = call.path["number"]
        call.ask(f"{base}/boards/:board_id/lists", "POST", board_id=number, label_id=call.values.get("label_id"))
        return _to_board(call, number, "Column added.")

    def remove_column(call: PageCall) -> Response:
        """Remove a column; its issues stay as they are."""
        number, column = call.path["number"], call.path["column"]
        call.ask(f"{base}/boards/:board_id/lists/:list_id", "DELETE", board_id=number, list_id=column)
        return _to_board(call, number, "Column removed.")

    def move_issue(call: PageCall) -> Response:
        """Move an issue to another column: its label, or whether it is open."""
        number = call.path["number"]
        board = call.ask(f"{base}/boards/:board_id", board_id=number)
        target, iid = call.values.get("project"), call.values.get("issue")
        change = _move(board, call.values.get("from", ""), call.values.get("to", ""))
        call.ask("/projects/:id/issues/:issue_iid", "PUT", id=target, issue_iid=iid, **change)
        return _to_board(call, number, "Issue moved.")

    def remove_board(call: PageCall) -> Response:
        """Delete a board."""
        call.ask(f"{base}/boards/:board_id", "DELETE", board_id=call.path["number"])
        return done(call, _root(call), "Board deleted.")

    pages.get("boards", guard=guard)(show_first_board)
    pages.get("boards/{number:int}", guard=guard)(show_board)
    pages.post("boards", guard=writers)(create_board)
    pages.post("boards/{number:int}/lists", guard=writers)(add_column)
    pages.post("boards/{number:int}/lists/{column:int}/remove", guard=writers)(remove_column)
    pages.post("boards/{number:int}/move", guard=writers)(move_issue)
    pages.post("boards/{number:int}/remove", guard=writers)(remove_board)


def _columns(call: PageCall, base: str, board: Board | None) -> list[Column]:
    """Open issues without a column's label, each column's own, and what is closed."""
    own = [] if board is None else [(entry["label"]["name"], entry) for entry in board["lists"] if entry["label"]]
    labels = [] if board is None else [label["name"] for label in board.get("labels") or []]
    narrow = {**_narrowed(board), "labels": labels}
    columns: list[Column] = []
    if board is None or not board["hide_backlog_list"]:
        names = [name for name, _ in own]
        columns.append(_column(call, base, "Open", None, {**narrow, "state": "opened", "not": {"labels": names}}))
    for name, entry in own:
        columns.append(_column(call, base, name, entry, {**narrow, "state": "opened", "labels": [*labels, name]}))
    if board is None or not board["hide_closed_list"]:
        columns.append(_column(call, base, "Closed", None, {**narrow, "state": "closed"}))
    return columns


def _column(call: PageCall, base: str, title: str, entry: BoardList | None, options: dict[str, object]) -> Column:
    given = {name: value for name, value in options.items() if value not in ([], {"labels": []})}
    rows = call.ask_rows(
        f"{base}/issues", page="1", per_page=str(A_COLUMN), with_labels_details=True, order_by="relative_position",
        sort="asc", **given,
    )  # fmt: skip
    return Column(title, entry, rows)


def _move(board: Board, source: str, target: str) -> dict[str, object]:
    """The change of an issue that moves it: open and closed ones have none of the board's labels."""
    labels = {str(entry["id"]): entry["label"]["name"] for entry in board["lists"] if entry["label"]}
    if target not in {*labels, "open", "closed"}:
        raise NotFound("Column")
    change: dict[str, object] = {}
    if target in labels:
        change["add_labels"] = labels[target]
    gone = (
        [labels[source]] if target in labels and source in labels else labels.values() if target not in labels else []
    )
    change["remove_labels"] = [name for name in gone if name != labels.get(target)]
    if (source == "closed") != (target == "closed"):
        change["state_event"] = "close" if target == "closed" else "reopen"
    return change


def _narrowed(board: Board | None) -> dict[str, object]:
    """What a board is limited to, besides labels."""
    options: dict[str, object] = {}
    if board is not None and (milestone := board.get("milestone")):
        options["milestone"] = milestone["title"]
    if board is not None and (assignee := board.get("assignee")):
        options["assignee_id"] = assignee["id"]
    if board is not None and (weight := board.get("weight")) is not None:
        options["weight"] = weight
    return options


def _root(call: PageCall) -> str:
    root = f"/{call.project.full_path}" if call.project_or_none is not None else f"/groups/{call.group.full_path}"
    return f"{root}/-/boards"


def _to_board(call: PageCall, number: object, words: str) -> Response:
    return done(call, f"{_root(call)}/{number}", words)


declare(project, "project")
declare(group, "group")
