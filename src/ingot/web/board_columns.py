"""Columns of a board: which issues each shows, and what changes when an issue moves to another."""

from collections.abc import Sequence

import msgspec

from ingot.kit.errors import NotFound
from ingot.web.answers import Board, BoardList
from ingot.web.call import PageCall, Rows

A_COLUMN = 20
NOBODY = 0  # what the API takes as "none"


class Column(msgspec.Struct, frozen=True):
    """A column of issues; `entry` is the board's own list, None for open and closed ones."""

    title: str
    entry: BoardList | None
    rows: Rows

    @property
    def key(self) -> str:
        """How forms name it."""
        return self.title.lower() if self.entry is None else str(self.entry["id"])

    @property
    def query(self) -> dict[str, str]:
        """What narrows the list of issues to those of the column."""
        if self.entry is None:
            return {"state": "closed" if self.title == "Closed" else "opened"}
        name = next(name for name in ("label", "milestone", "assignee") if self.entry.get(name))
        key = {"label": "labels", "assignee": "assignee_username"}.get(name, name)
        return {"state": "opened", key: self.title.removeprefix("@")}


def columns_of(call: PageCall, base: str, board: Board | None) -> list[Column]:
    """Open issues that are in no column, each column's own, and what is closed."""
    own = [] if board is None else [entry for entry in board["lists"] if _title(entry)]
    labels = [] if board is None else [label["name"] for label in board.get("labels") or []]
    narrow = {**_narrowed(board), "labels": labels}
    columns: list[Column] = []
    if board is None or not board["hide_backlog_list"]:
        columns.append(_open_column(call, base, own, narrow))
    for entry in own:
        shown = {**narrow, "state": "opened", **_shown(entry, labels)}
        columns.append(_column(call, base, _title(entry), entry, shown))
    if board is None or not board["hide_closed_list"]:
        columns.append(_column(call, base, "Closed", None, {**narrow, "state": "closed"}))
    return columns


def titled_lists(board: Board) -> list[tuple[BoardList, str]]:
    """The board's own columns in their order, with what each is of."""
    return [(entry, _title(entry) or "Nothing that you can see") for entry in board["lists"]]


def _title(entry: BoardList) -> str:
    """What a column is of; empty for what is gone or nobody may see."""
    if entry["label"]:
        return entry["label"]["name"]
    if assignee := entry.get("assignee"):
        return f"@{assignee['username']}"
    milestone = entry.get("milestone")
    return milestone["title"] if milestone else ""


def _shown(entry: BoardList, labels: list[str]) -> dict[str, object]:
    """The filter of a column."""
    if entry["label"]:
        return {"labels": [*labels, entry["label"]["name"]]}
    assignee = entry.get("assignee")
    return {"assignee_id": assignee["id"]} if assignee else {"milestone": _title(entry)}


def _open_column(call: PageCall, base: str, own: list[BoardList], narrow: dict[str, object]) -> Column:
    """The open issues that no other column shows."""
    milestones = [_title(entry) for entry in own if entry.get("milestone")]
    people = [assignee["username"] for entry in own if (assignee := entry.get("assignee"))]
    labels = [entry["label"]["name"] for entry in own if entry["label"]]
    others = {"labels": labels, "assignee_username": people, "milestone": milestones[0] if milestones else None}
    negation = {name: value for name, value in others.items() if value}
    column = _column(call, base, "Open", None, {**narrow, "state": "opened", "not": negation})
    # The API leaves out one milestone; the issues of further ones are left out here.
    return msgspec.structs.replace(column, rows=_without_milestones(column.rows, milestones[1:]))


def _without_milestones(rows: Rows, titles: Sequence[str]) -> Rows:
    """The rows of other milestones; how many there are is known only if these are all."""
    if not titles:
        return rows
    items = [row for row in rows.items if row["milestone"] is None or row["milestone"]["title"] not in titles]
    return msgspec.structs.replace(rows, items=items, total=None if rows.next_page else len(items))


def _column(call: PageCall, base: str, title: str, entry: BoardList | None, options: dict[str, object]) -> Column:
    given = {name: value for name, value in options.items() if value not in ([], {})}
    rows = call.ask_rows(
        f"{base}/issues", page="1", per_page=str(A_COLUMN), with_labels_details=True, order_by="relative_position",
        sort="asc", **given,
    )  # fmt: skip
    return Column(title, entry, rows)


def move_between(board: Board, source: str, target: str, assignees: Sequence[int]) -> dict[str, object]:
    """The change of an issue that moves it: open and closed ones have none of the board's labels.

    Of those whom it is assigned to, only the person of the column that it leaves goes.
    """
    lists = {str(entry["id"]): entry for entry in board["lists"] if _title(entry)}
    if target not in {*lists, "open", "closed"}:
        raise NotFound("Column")
    change: dict[str, object] = {}
    left = lists.get(source)
    if left is not None and left.get("milestone"):
        change["milestone_id"] = 0
    entered = lists.get(target)
    change |= _entering(entered) if entered else {}
    change |= _assigned(assignees, left, entered)
    gone = ([left] if left else []) if entered else lists.values()
    names = [entry["label"]["name"] for entry in gone if entry["label"]]
    change["remove_labels"] = [name for name in names if name != change.get("add_labels")]
    if (source == "closed") != (target == "closed"):
        change["state_event"] = "close" if target == "closed" else "reopen"
    return change


def _entering(entry: BoardList) -> dict[str, object]:
    """What an issue gets in a column."""
    if entry["label"]:
        return {"add_labels": entry["label"]["name"]}
    milestone = entry.get("milestone")
    return {"milestone_id": milestone["id"]} if milestone else {}


def _assigned(assignees: Sequence[int], left: BoardList | None, entered: BoardList | None) -> dict[str, object]:
    """Whom an issue is assigned to then; empty where neither column is a person's."""
    leaving, entering = _person(left), _person(entered)
    if leaving is None and entering is None:
        return {}
    stay = [number for number in assignees if number not in (leaving, entering)]
    return {"assignee_ids": [*stay, *([entering] if entering is not None else [])] or [NOBODY]}


def _person(entry: BoardList | None) -> int | None:
    assignee = entry.get("assignee") if entry is not None else None
    return assignee["id"] if assignee else None


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
