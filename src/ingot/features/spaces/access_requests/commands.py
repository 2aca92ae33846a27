"""Requesting access, and deciding about requests, in the caller's transaction."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select
from sqlalchemy.exc import IntegrityError

from ingot.features.people.members import Source, add_member
from ingot.features.people.users import BASIC_COLUMNS
from ingot.features.spaces.access_requests.tables import access_requests
from ingot.identity.tables import users
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Forbidden, Invalid, RecordNotFound


def requests_of(source: Source) -> Select[Any]:
    """The open requests with their users, oldest first."""
    return (
        select(*BASIC_COLUMNS, access_requests.c.requested_at, access_requests.c.id.label("request_id"))
        .join_from(access_requests, users, users.c.id == access_requests.c.user_id)
        .where(_of(source))
        .order_by(access_requests.c.id)
    )


def ask(tx: Connection, source: Source, user_id: int) -> None:
    """Create a request; bots cannot request access."""
    if tx.execute(select(users.c.kind).where(users.c.id == user_id)).scalar_one() == "project_bot":
        raise Forbidden
    try:
        with tx.begin_nested():
            tx.execute(insert(access_requests).values(**source.key, user_id=user_id, requested_at=now()))
    except IntegrityError:
        raise Invalid({"user": ["already exists in source"]}) from None
    _report(tx, "request", source, user_id)


def approve(tx: Connection, source: Source, user_id: int, access_level: int, decider_id: int) -> None:
    """Turn the request into a membership."""
    _remove(tx, source, user_id)
    add_member(tx, source, user_id, access_level, created_by_id=decider_id)


def withdraw(tx: Connection, source: Source, user_id: int) -> None:
    """Remove a request that was denied or withdrawn."""
    _remove(tx, source, user_id)
    _report(tx, "revoke", source, user_id)


def _report(tx: Connection, action: str, source: Source, user_id: int) -> None:
    group_id, project_id = (source.id, None) if source.is_group else (None, source.id)
    report_change(tx, Change("access_request", action, user_id, project_id=project_id, group_id=group_id))


def _remove(tx: Connection, source: Source, user_id: int) -> None:
    if tx.execute(delete(access_requests).where(_of(source), access_requests.c.user_id == user_id)).rowcount == 0:
        raise RecordNotFound


def requested_at(conn: Connection, source: Source, user_id: int) -> datetime | None:
    """When the user requested access, or None."""
    query = select(access_requests.c.requested_at).where(_of(source), access_requests.c.user_id == user_id)
    return conn.execute(query).scalar_one_or_none()


def _of(source: Source) -> ColumnElement[bool]:
    return (access_requests.c.group_id if source.is_group else access_requests.c.project_id) == source.id
