"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol

from ingot.identity.rows import BasicUserRow


class AccessRequestRow(BasicUserRow, Protocol):
    """Somebody who asks for access."""

    requested_at: datetime
