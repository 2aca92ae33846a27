"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol

# By gate: a share in percent, or names of groups or actors.
Gates = dict[str, int | list[str]]


class FlagRow(Protocol):
    """A row of `feature_flags`."""

    name: str
    enabled: bool
    gates: Gates
    updated_at: datetime
