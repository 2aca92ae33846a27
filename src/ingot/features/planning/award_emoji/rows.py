"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class AwardEmojiRow(Protocol):
    """A row of `award_emoji`."""

    id: int
    awardable_type: str
    awardable_id: int
    user_id: int
    name: str
    created_at: datetime
    updated_at: datetime
