"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Any, Protocol


class FlagRow(Protocol):
    """A row of `feature_flags`."""

    name: str
    enabled: bool
    gates: dict[str, Any]
    updated_at: datetime
