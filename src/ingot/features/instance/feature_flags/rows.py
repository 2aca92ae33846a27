"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Any, Protocol


class FlagRow(Protocol):
    """What may be read of a row of `feature_flags`."""

    name: str
    enabled: bool
    gates: dict[str, Any]
    updated_at: datetime
