"""Service accounts on the wire."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.identity.rows import UserRow
from ingot.kit.entity import UNSET, Entity, UnsetType


class ServiceAccount(Entity):
    """A user for programs; `unconfirmed_email` is there after a change, while the address is not confirmed."""

    id: int
    username: str
    name: str
    email: str
    unconfirmed_email: str | UnsetType = UNSET


def present(_: Call, rows: Sequence[UserRow]) -> list[ServiceAccount]:
    """A page of accounts."""
    return [_account(row) for row in rows]


def _account(row: UserRow) -> ServiceAccount:
    unconfirmed = UNSET if row.confirmed_at is not None else row.email
    return ServiceAccount(
        id=row.id, username=row.username, name=row.name, email=row.email, unconfirmed_email=unconfirmed
    )
