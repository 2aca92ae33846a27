"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol

from ingot.identity.rows import BasicUserRow


class AccessRequestRow(BasicUserRow, Protocol):
    """Somebody who asks for access."""

    requested_at: datetime
