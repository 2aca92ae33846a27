"""What is shown of a member: the user with the role."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from ingot.features.users import UserBasic, avatar_url, users_by_id
from ingot.kit.call import Call
from ingot.kit.entity import UNSET, Entity, UnsetType, wire


class Member(Entity, kw_only=True):
    """A user in a group or project."""

    id: int
    username: str
    name: str
    state: str
    locked: bool
    avatar_url: str | None
    web_url: str
    access_level: int
    created_at: datetime
    created_by: UserBasic | UnsetType = UNSET
    expires_at: date | None
    email: str | UnsetType = UNSET
    is_using_seat: bool | UnsetType = UNSET
    membership_state: str


class Outcome(Entity, kw_only=True):
    """The answer when several users are added at once."""

    status: str
    message: dict[str, str] | UnsetType = UNSET


def present(call: Call, rows: Sequence[Any]) -> list[Member]:
    """A page of members; addresses are for administrators' eyes."""
    inviters = users_by_id(call.conn, [row.created_by_id for row in rows], call.base_url)
    with_seats = bool(getattr(call.params, "show_seat_info", False))
    return [
        Member(
            id=row.id,
            username=row.username,
            name=row.name,
            state=row.state,
            locked=False,
            avatar_url=avatar_url(row, call.base_url),
            web_url=f"{call.base_url}/{row.username}",
            access_level=row.access_level,
            created_at=wire(row.joined_at),
            created_by=inviters.get(row.created_by_id, UNSET),
            expires_at=row.expires_at,
            email=row.email if call.actor.is_admin else UNSET,
            is_using_seat=takes_seat(row) if with_seats else UNSET,
            membership_state="active",
        )
        for row in rows
    ]


def takes_seat(row: Any) -> bool:
    """Active people take a seat; bots and those with minimal access do not."""
    return bool(row.state == "active" and row.kind == "human" and row.access_level > 5)
