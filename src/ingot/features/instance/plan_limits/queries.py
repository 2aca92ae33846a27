"""Reading limits: the stored value, or the default while nobody has changed it."""

from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, select

from ingot.features.instance.plan_limits.fields import DEFAULT_PLAN, LIMITS
from ingot.features.instance.plan_limits.tables import plan_limits


class PlanLimits(msgspec.Struct, frozen=True):
    """The effective limits of a plan."""

    values: dict[str, int]
    history: dict[str, list[dict[str, Any]]]


def limits_of(conn: Connection, plan: str) -> PlanLimits:
    """All limits of a plan."""
    row = conn.execute(select(plan_limits).where(plan_limits.c.plan_name == plan)).one_or_none()
    defaults = {name: limit.default for name, limit in LIMITS.items()}
    if row is None:
        return PlanLimits(defaults, {})
    return PlanLimits({**defaults, **row.limits}, row.history)


_CHANGED = select(plan_limits.c.limits).where(plan_limits.c.plan_name == bindparam("plan"))


def limit_of(conn: Connection, name: str, plan: str = DEFAULT_PLAN) -> int:
    """One limit, read fresh so that a change holds at once. Projects of this instance are on the default plan."""
    changed = conn.execute(_CHANGED, {"plan": plan}).scalar_one_or_none()
    return int((changed or {}).get(name, LIMITS[name].default))
