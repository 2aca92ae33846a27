"""Who must have a second factor: everybody, or the members of groups that ask for it, and until when they may wait."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, ScalarSelect, bindparam, func, or_, select, update

from ingot.access.tables import SPEAKS_OF_TWO_FACTORS, members, namespace_ancestors, namespaces
from ingot.identity.second_factors import has_second_factor, with_second_factor
from ingot.identity.tables import users
from ingot.instance.settings import DEFAULTS
from ingot.instance.tables import application_settings_table
from ingot.kit.clock import now, today
from ingot.kit.db import Database

DEFAULT_HOURS = 48  # of groups, as their settings declare


class Requirement(msgspec.Struct, frozen=True):
    """A second factor that a user must have and has not."""

    group: str | None  # the full name of the group that asks first; None where the instance does
    deadline: datetime
    is_new: bool  # the user was not told yet, and the grace period has not begun

    @property
    def is_overdue(self) -> bool:
        """It cannot be put off any more."""
        return self.deadline <= now()


def find_requirement(conn: Connection, user_id: int) -> Requirement | None:
    """What asks the user for a second factor; None for those who have one, and where nothing does."""
    row = conn.execute(_REQUIRED, {"user": user_id, "day": today()}).one()
    by_instance = DEFAULTS["require_two_factor_authentication"] if row.required is None else row.required
    if row.has_factor or not (by_instance or row.group_name):
        return None
    hours = DEFAULTS["two_factor_grace_period"] if row.hours is None else row.hours
    # Of several, the shortest period counts.
    group_decides = not by_instance or (row.group_name is not None and row.group_hours < hours)
    started_at = row.otp_grace_period_started_at
    deadline = (started_at or now()) + timedelta(hours=row.group_hours if group_decides else hours)
    return Requirement(row.group_name if group_decides else None, deadline, started_at is None)


def start_grace(tx: Connection, user_id: int) -> None:
    """The user knows now; the grace period begins, once."""
    mine = (users.c.id == user_id) & users.c.otp_grace_period_started_at.is_(None)
    tx.execute(update(users).where(mine).values(otp_grace_period_started_at=now()))


def is_password_enough(db: Database, user_id: int) -> bool:
    """Whether doors that take passwords alone are open to the user: no second factor, and none overdue."""
    with db.read() as conn:
        if has_second_factor(conn, user_id):
            return False
        requirement = find_requirement(conn, user_id)
    if requirement is None:
        return True
    if requirement.is_new:
        with db.write() as tx:
            start_grace(tx, user_id)
    return not requirement.is_overdue


def _setting(name: str) -> ScalarSelect[Any]:
    table = application_settings_table
    return select(table.c.value).where(table.c.name == name).scalar_subquery()


def _related() -> ColumnElement[bool]:
    """The user is a member of the group, of one above it or of one below it."""
    above, below = namespace_ancestors.alias("above"), namespace_ancestors.alias("below")
    is_live = or_(members.c.expires_at.is_(None), members.c.expires_at > bindparam("day"))
    mine = (members.c.user_id == bindparam("user")) & is_live
    inherited = select(1).join_from(above, members, members.c.group_id == above.c.ancestor_id)
    lower = select(1).join_from(below, members, members.c.group_id == below.c.namespace_id)
    return or_(
        inherited.where(above.c.namespace_id == namespaces.c.id, mine).exists(),
        lower.where(below.c.ancestor_id == namespaces.c.id, mine).exists(),
    )


_HOURS = func.coalesce(namespaces.c.settings["two_factor_grace_period"].as_integer(), DEFAULT_HOURS)
_GROUP = (
    select(namespaces.c.full_name.label("group_name"), _HOURS.label("group_hours"))
    .where(
        SPEAKS_OF_TWO_FACTORS,
        namespaces.c.settings["require_two_factor_authentication"].as_boolean(),
        ~namespaces.c.pending_delete,
        _related(),
    )
    .order_by(_HOURS, namespaces.c.id)
    .limit(1)
    .subquery()
)
# One statement: every page of a session asks it.
_REQUIRED = (
    select(
        users.c.otp_grace_period_started_at,
        with_second_factor(users.c.id).label("has_factor"),
        _setting("require_two_factor_authentication").label("required"),
        _setting("two_factor_grace_period").label("hours"),
        _GROUP.c.group_name,
        _GROUP.c.group_hours,
    )
    .join_from(users, _GROUP, users.c.id == users.c.id, isouter=True)
    .where(users.c.id == bindparam("user"))
)
