"""Boards: issues in columns, of projects and of groups."""

from starlette.responses import Response

from ingot.access.policy import READ_GROUP, READ_ISSUES
from ingot.web.answers import Board
from ingot.web.board_columns import columns_of, move_between
from ingot.web.call import PageCall, View
from ingot.web.frames import group_view, project_view
from ingot.web.guards import InGroup, InProject
from ingot.web.registry import Pages
from ingot.web.sending import done

project = Pages("project")
group = Pages("group")
ISSUE = "/projects/:id/issues/:issue_iid"


def declare(pages: Pages, place: str) -> None:
    """Register the boards of one kind of place."""
    base = f"/{place}s/:id"
    guard = InProject(READ_ISSUES) if place == "project" else InGroup(READ_GROUP)
    writers = InProject(READ_ISSUES, needs_user=True) if place == "project" else InGroup(READ_GROUP, needs_user=True)
    view = project_view if place == "project" else group_view

    def show(call: PageCall, board: Board | None, boards: list[Board]) -> View:
        return view(
            call, "board", "issues", board=board, boards=boards, columns=columns_of(call, base, board),
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
        issue = call.ask(ISSUE, id=target, issue_iid=iid)
        assignees = [person["id"] for person in issue["assignees"]]
        change = move_between(board, call.values.get("from", ""), call.values.get("to", ""), assignees)
        call.ask(ISSUE, "PUT", id=target, issue_iid=iid, **change)
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


def _root(call: PageCall) -> str:
    root = f"/{call.project.full_path}" if call.project_or_none is not None else f"/groups/{call.group.full_path}"
    return f"{root}/-/boards"


def _to_board(call: PageCall, number: object, words: str) -> Response:
    return done(call, f"{_root(call)}/{number}", words)


declare(project, "project")
declare(group, "group")
