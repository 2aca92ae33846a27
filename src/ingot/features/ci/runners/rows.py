"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Any, Protocol


class RunnerRow(Protocol):
    """What may be read of a row of `runners`."""

    id: int
    runner_type: str
    token_digest: str
    short_token: str
    token_expires_at: datetime | None
    registration_type: str
    creator_id: int | None
    name: str | None
    description: str | None
    maintenance_note: str | None
    active: bool
    locked: bool
    run_untagged: bool
    access_level: str
    maximum_timeout: int | None
    tag_list: Any
    ip_address: str | None
    contacted_at: datetime | None
    created_at: datetime
    updated_at: datetime
