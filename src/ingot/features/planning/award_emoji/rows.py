"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class AwardEmojiRow(Protocol):
    """What may be read of a row of `award_emoji`."""

    id: int
    awardable_type: str
    awardable_id: int
    user_id: int
    name: str
    created_at: datetime
    updated_at: datetime
