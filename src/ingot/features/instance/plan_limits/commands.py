"""Changing limits, with a history of the storage limits."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select, update

from ingot.features.instance.plan_limits.fields import LIMITS
from ingot.features.instance.plan_limits.queries import PlanLimits, limits_of
from ingot.features.instance.plan_limits.tables import plan_limits
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.upsert import upsert


def change_limits(tx: Connection, actor: Actor, plan: str, limits: dict[str, int]) -> PlanLimits:
    """Store the given limits; the others stay."""
    problems = {
        name: [f"must be greater than or equal to {least}"]
        for name, value in limits.items()
        if (least := LIMITS[name].least) is not None and value < least
    }
    if problems:
        raise Invalid(problems)
    _hold(tx, plan)
    before = limits_of(tx, plan)
    changed = {name: value for name, value in limits.items() if before.values[name] != value}
    if changed:
        _store(tx, plan, {**before.values, **changed}, _extended(before.history, actor, changed))
    return limits_of(tx, plan)


def _extended(
    history: dict[str, list[dict[str, object]]], actor: Actor, changed: dict[str, int]
) -> dict[str, list[dict[str, Any]]]:
    entry = {"user_id": actor.id, "username": actor.username, "timestamp": int(now().timestamp())}
    longer = {
        name: [*history.get(name, []), {**entry, "value": value}]
        for name, value in changed.items()
        if LIMITS[name].keeps_history
    }
    return {**history, **longer}


def _hold(tx: Connection, plan: str) -> None:
    """Ensure that the plan has a row, and lock it."""
    fresh = upsert(tx.dialect.name, plan_limits).values(plan_name=plan, limits={}, history={}, updated_at=now())
    tx.execute(fresh.on_conflict_do_nothing(index_elements=["plan_name"]))
    tx.execute(select(plan_limits.c.plan_name).where(plan_limits.c.plan_name == plan).with_for_update())


def _store(
    tx: Connection, plan: str, values: dict[str, int], history: Mapping[str, Sequence[Mapping[str, object]]]
) -> None:
    changed = {name: value for name, value in values.items() if value != LIMITS[name].default}
    tx.execute(
        update(plan_limits)
        .where(plan_limits.c.plan_name == plan)
        .values(limits=changed, history=history, updated_at=now())
    )
