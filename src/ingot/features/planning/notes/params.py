"""Parameters of notes and discussions; each kind of noteable adds its own number to them."""

from datetime import datetime
from typing import ClassVar

from ingot.kit.params import Paging, Param, Params


class ListNotes(Paging):
    """Filters and order of a list of notes."""

    order_by: str = Param("Order.", default="created_at", one_of=("created_at", "updated_at"))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))
    activity_filter: str = Param(
        "Comments, system notes, or both.",
        default="all_notes",
        one_of=("all_notes", "only_comments", "only_activity"),
    )


class OneNote(Params):
    """One note."""

    note_id: int = Param("Id of the note.", required=True)


class OneDiscussion(Params):
    """One discussion."""

    discussion_id: str = Param("Id of the discussion.", required=True)


class CreateNote(Params):
    """A new comment."""

    body: str = Param("The comment.", required=True)
    internal: bool | None = Param("Internal: only planners and above may read it.")
    confidential: bool | None = Param("Former name of internal.")
    created_at: datetime | None = Param("When it was written (owners and administrators).")
    merge_request_diff_head_sha: str | None = Param("Head that the comment was written against; `/merge` needs it.")


class EditNote(OneNote):
    """A changed comment."""

    body: str | None = Param("The comment.")
    confidential: bool | None = Param("Has no effect.")


class LineOfRange(Params):
    """One end of a range of lines."""

    line_code: str | None = Param("Line code.")
    type: str | None = Param("`new` or `old`.")
    old_line: int | None = Param("Line in the old file.")
    new_line: int | None = Param("Line in the new file.")


class LineRange(Params):
    """Several lines."""

    start: LineOfRange | None = Param("First line.")
    end: LineOfRange | None = Param("Last line.")


class Position(Params):
    """Position in the diff."""

    base_sha: str = Param("Base commit of the diff.", required=True)
    start_sha: str = Param("Start commit of the diff.", required=True)
    head_sha: str = Param("Head commit of the diff.", required=True)
    position_type: str = Param("`text`, `image` or `file`.", required=True, one_of=("text", "image", "file"))
    new_path: str | None = Param("Path after the change.")
    new_line: int | None = Param("Line after the change.")
    old_path: str | None = Param("Path before the change.")
    old_line: int | None = Param("Line before the change.")
    width: int | None = Param("Width of the image.")
    height: int | None = Param("Height of the image.")
    x: float | None = Param("X coordinate in the image.")
    y: float | None = Param("Y coordinate in the image.")
    line_range: LineRange | None = Param("Several lines.")


class CreateDiscussion(Params):
    """A new thread."""

    body: str = Param("The comment.", required=True)
    internal: bool | None = Param("Internal: only planners and above may read it.")
    created_at: datetime | None = Param("When it was written (owners and administrators).")
    commit_id: str | None = Param("Commit of the merge request that the thread is about.")
    position: Position | None = Param("Position in the diff.")


class Reply(OneDiscussion):
    """An answer in a thread."""

    body: str = Param("The comment.", required=True)
    created_at: datetime | None = Param("When it was written (owners and administrators).")


class ResolveDiscussion(OneDiscussion):
    """Resolve a whole thread."""

    resolved: bool = Param("True resolves, false reopens.", required=True)


class OneDiscussionNote(OneDiscussion, OneNote):
    """One note of a thread."""


class EditDiscussionNote(OneDiscussionNote):
    """Change or resolve one note of a thread."""

    body: str | None = Param("The comment.")
    resolved: bool | None = Param("True resolves, false reopens.")
    exactly_one: ClassVar[tuple[str, ...]] = ("body", "resolved")
