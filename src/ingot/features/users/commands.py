"""Changing users: one function per verb, in the caller's transaction."""

from typing import Any

from sqlalchemy import Connection, insert, select

from ingot.access.tables import namespace_ancestors, namespaces
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.errors import Conflict


def create_user(tx: Connection, *, username: str, name: str, email: str, is_admin: bool = False, **more: Any) -> int:
    """Store a user and the personal namespace of the same name; returns the user's id."""
    moment = now()
    taken = tx.execute(
        select(users.c.username_lower, users.c.email_lower).where(
            (users.c.username_lower == username.lower()) | (users.c.email_lower == email.lower())
        )
    ).first()
    if taken is not None:
        raise Conflict(f"{'Email' if taken.email_lower == email.lower() else 'Username'} has already been taken")
    if tx.execute(select(namespaces.c.id).where(namespaces.c.full_path_lower == username.lower())).first() is not None:
        raise Conflict("Username has already been taken")
    values = {"profile": {}, "confirmed_at": moment, **more}
    user_id = tx.execute(
        insert(users)
        .values(
            username=username,
            username_lower=username.lower(),
            name=name,
            email=email,
            email_lower=email.lower(),
            is_admin=is_admin,
            created_at=moment,
            updated_at=moment,
            **values,
        )
        .returning(users.c.id)
    ).scalar_one()
    namespace_id = tx.execute(
        insert(namespaces)
        .values(
            kind="user",
            owner_id=user_id,
            name=name,
            path=username,
            full_path=username,
            full_path_lower=username.lower(),
            full_name=name,
            visibility=20,
            settings={},
            created_at=moment,
            updated_at=moment,
        )
        .returning(namespaces.c.id)
    ).scalar_one()
    tx.execute(insert(namespace_ancestors).values(namespace_id=namespace_id, ancestor_id=namespace_id, depth=0))
    return int(user_id)
