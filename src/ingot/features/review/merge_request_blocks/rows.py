"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class BlockRow(Protocol):
    """A row of `merge_request_blocks`."""

    id: int
    blocking_id: int
    blocked_id: int
    created_at: datetime
    updated_at: datetime
