"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class ProtectedBranchRow(Protocol):
    """What may be read of a row of `protected_branches`."""

    id: int
    project_id: int
    name: str
    allow_force_push: bool
    code_owner_approval_required: bool
    created_at: datetime
    updated_at: datetime
