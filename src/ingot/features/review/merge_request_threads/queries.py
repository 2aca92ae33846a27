"""Reading suggestions with their places."""

from sqlalchemy import ColumnElement, Connection, select

from ingot.features.planning.notes import notes, suggestions
from ingot.features.review.merge_request_threads.rows import PlacedSuggestionRow

_PLACED = (
    select(
        suggestions, notes.c.noteable_id, notes.c.noteable_type, notes.c.position, notes.c.discussion_id,
        notes.c.author_id, notes.c.resolved_at,
    )
    .join_from(suggestions, notes, notes.c.id == suggestions.c.note_id)
    .where(notes.c.noteable_type == "MergeRequest")
    .order_by(suggestions.c.id)
)  # fmt: skip


def placed_suggestions(conn: Connection, which: ColumnElement[bool]) -> list[PlacedSuggestionRow]:
    """Suggestions in merge requests."""
    rows: list[PlacedSuggestionRow] = list(conn.execute(_PLACED.where(which)))
    return rows
