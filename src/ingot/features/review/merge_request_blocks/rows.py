"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class BlockRow(Protocol):
    """What may be read of a row of `merge_request_blocks`."""

    id: int
    blocking_id: int
    blocked_id: int
    created_at: datetime
    updated_at: datetime
