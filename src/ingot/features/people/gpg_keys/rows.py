"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class GpgKeyRow(Protocol):
    """A row of `gpg_keys`."""

    id: int
    user_id: int
    key: str
    fingerprint: str
    primary_keyid: str
    users: list[list[str]]
    created_at: datetime
    revoked_at: datetime | None


class SigningKeyRow(GpgKeyRow, Protocol):
    """A key with the subkey that was asked for, if it is one."""

    subkey_id: int | None
