"""Rows as typed records."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class MirrorRow(Protocol):
    """A row of `remote_mirrors`."""

    id: int
    project_id: int
    enabled: bool
    url: str
    shown_url: str
    sealed_login: str | None
    auth_method: str
    sealed_key: str | None
    public_key: str | None
    host_keys: Sequence[str]
    only_protected_branches: bool
    keep_divergent_refs: bool
    mirror_branch_regex: str | None
    update_status: str
    last_error: str | None
    last_update_at: datetime | None
    last_update_started_at: datetime | None
    last_successful_update_at: datetime | None
