"""What is shown of a user: the basic form that every other resource embeds."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, select

from ingot.identity.tables import users
from ingot.kit.call import Call
from ingot.kit.entity import Entity


class UserBasic(Entity):
    """The user object embedded everywhere."""

    id: int
    username: str
    name: str
    state: str
    locked: bool
    avatar_url: str | None
    web_url: str


BASIC_COLUMNS = (users.c.id, users.c.username, users.c.name, users.c.state, users.c.avatar, users.c.email_lower)


def avatar_url(row: Any, base_url: str) -> str:
    """The uploaded picture, or the address of a generated one."""
    if row.avatar:
        return f"{base_url}/uploads/-/system/user/avatar/{row.id}/{row.avatar.rsplit('/', 1)[-1]}"
    digest = hashlib.sha256(row.email_lower.encode()).hexdigest()
    return f"https://www.gravatar.com/avatar/{digest}?s=80&d=identicon"


def user_basic(row: Any, base_url: str) -> UserBasic:
    """The basic form of a row that holds `BASIC_COLUMNS`."""
    return UserBasic(
        id=row.id,
        username=row.username,
        name=row.name,
        state=row.state,
        locked=False,
        avatar_url=avatar_url(row, base_url),
        web_url=f"{base_url}/{row.username}",
    )


def present_basic(call: Call, rows: Sequence[Any]) -> list[UserBasic]:
    """A page of users in the basic form."""
    return [user_basic(row, call.base_url) for row in rows]


def users_by_id(conn: Connection, ids: Iterable[int | None], base_url: str) -> dict[int, UserBasic]:
    """The users of a page of other records, in one query."""
    wanted = {user_id for user_id in ids if user_id is not None}
    if not wanted:
        return {}
    rows = conn.execute(select(*BASIC_COLUMNS).where(users.c.id.in_(wanted)))
    return {row.id: user_basic(row, base_url) for row in rows}
