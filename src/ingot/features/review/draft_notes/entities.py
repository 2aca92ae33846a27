"""Draft notes on the wire."""

from collections.abc import Sequence
from typing import Any

from ingot.features.review.draft_notes.rows import DraftNoteRow
from ingot.kit.entity import Entity

# spec: a draft without a place has the object all the same
NO_POSITION: dict[str, Any] = {
    "base_sha": None, "start_sha": None, "head_sha": None, "old_path": None, "new_path": None,
    "position_type": "text", "old_line": None, "new_line": None, "line_range": None,
}  # fmt: skip


class DraftNote(Entity):
    """A comment that is not published yet."""

    id: int
    author_id: int
    merge_request_id: int
    resolve_discussion: bool
    discussion_id: str | None
    note: str
    commit_id: str | None
    line_code: str | None
    position: dict[str, Any]


def present(rows: Sequence[DraftNoteRow]) -> list[DraftNote]:
    """Some draft notes."""
    return [
        DraftNote(
            id=row.id,
            author_id=row.author_id,
            merge_request_id=row.merge_request_id,
            resolve_discussion=row.resolve_discussion,
            discussion_id=row.discussion_id,
            note=row.note,
            commit_id=row.commit_id,
            line_code=row.line_code,
            position=row.position or NO_POSITION,
        )
        for row in rows
    ]
