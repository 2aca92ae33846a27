"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol

from ingot.identity.rows import BasicUserRow


class AccessRequestRow(BasicUserRow, Protocol):
    """A user who requests access."""

    requested_at: datetime
