"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol

from ingot.features.planning.notes import SuggestionRow


class PlacedThreadRow(Protocol):
    """An open thread on a line of a diff."""

    discussion_id: str
    position: dict[str, Any] | None


class PlacedSuggestionRow(SuggestionRow, Protocol):
    """A suggestion with what its note says of its place."""

    noteable_id: int
    noteable_type: str
    position: dict[str, Any]
    discussion_id: str
    author_id: int | None
    resolved_at: datetime | None
