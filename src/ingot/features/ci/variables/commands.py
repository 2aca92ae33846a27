"""Reading, creating and changing variables of one owner, with the rules for keys, values, scopes and limits."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, insert, select, update

from ingot.features.ci.variables.layers import is_maskable
from ingot.features.ci.variables.rows import CiVariableRow
from ingot.features.ci.variables.tables import ci_variables
from ingot.features.instance.plan_limits import limit_of
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import Conflict, Invalid, NotFound
from ingot.kit.patterns import ALPHANUMERIC, consists_of
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services

MAX_INSTANCE_VALUE = 10_000
MAX_OWN = {"project": 8_000, "group": 30_000}
SEVERAL = "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'"


class Owner(msgspec.Struct, frozen=True):
    """Whose variables: a project, a group, or the instance."""

    project_id: int | None = None
    group_id: int | None = None

    @property
    def condition(self) -> ColumnElement[bool]:
        """The rows of this owner."""
        c = ci_variables.c
        return and_(
            c.project_id.is_(None) if self.project_id is None else c.project_id == self.project_id,
            c.group_id.is_(None) if self.group_id is None else c.group_id == self.group_id,
        )

    @property
    def is_instance(self) -> bool:
        """Neither a project nor a group."""
        return self.project_id is None and self.group_id is None


def listed(owner: Owner) -> Select[Any]:
    """All variables of the owner."""
    return select(ci_variables).where(owner.condition).order_by(ci_variables.c.id)


def get_variable(conn: Connection, owner: Owner, key: str, scope: str | None) -> CiVariableRow:
    """The variable with this key; if there are several, the scope must be given."""
    query = listed(owner).where(ci_variables.c.key == key)
    if scope is not None:
        query = query.where(ci_variables.c.environment_scope == scope)
    rows = conn.execute(query.limit(2)).all()
    if not rows:
        raise NotFound("Variable")
    if len(rows) > 1:
        raise Conflict(SEVERAL)
    return rows[0]


def create(tx: Connection, services: Services, owner: Owner, values: Mapping[str, object]) -> int:
    """A new variable."""
    _check(owner, values)
    take_turn(tx, f"variables:{owner.project_id}:{owner.group_id}")
    key = str(values["key"])
    _check_free(tx, owner, key, str(values.get("environment_scope", "*")))
    _check_number(tx, owner)
    stored = {name: value for name, value in values.items() if name != "value"}
    created = tx.execute(
        insert(ci_variables)
        .values(
            project_id=owner.project_id,
            group_id=owner.group_id,
            sealed_value=seal(services, str(values["value"])),
            created_at=now(),
            **stored,
        )
        .returning(ci_variables.c.id)
    ).scalar_one()
    _report(tx, "create", owner, int(created), key)
    return int(created)


def change(tx: Connection, services: Services, owner: Owner, row: CiVariableRow, values: Mapping[str, object]) -> None:
    """Change what was sent."""
    current = {
        "key": row.key,
        "value": unseal(services, row.sealed_value),
        "masked": row.masked,
        "environment_scope": row.environment_scope,
        **values,
    }
    _check(owner, current)
    if row.hidden and not current["masked"]:
        raise Invalid({"masked": ["must be true for hidden variables"]})
    if current["environment_scope"] != row.environment_scope:
        take_turn(tx, f"variables:{owner.project_id}:{owner.group_id}")
        _check_free(tx, owner, row.key, str(current["environment_scope"]))
    stored = {name: value for name, value in values.items() if name != "value"}
    if "value" in values:
        stored["sealed_value"] = seal(services, str(values["value"]))
    if stored:
        tx.execute(update(ci_variables).where(ci_variables.c.id == row.id).values(**stored))
        before = {name: getattr(row, name) for name in stored if name != "sealed_value"}
        after = {name: stored[name] for name in before}
        if "value" in values:
            before["value"], after["value"] = row.sealed_value, stored["sealed_value"]
        _report(tx, "update", owner, row.id, row.key, {"before": before, "after": after})


def remove(tx: Connection, owner: Owner, row: CiVariableRow) -> None:
    """Delete a variable."""
    tx.execute(delete(ci_variables).where(ci_variables.c.id == row.id))
    _report(tx, "delete", owner, row.id, row.key)


def _report(
    tx: Connection, action: str, owner: Owner, variable_id: int, key: str, more: Mapping[str, object] | None = None
) -> None:
    kind = "ci_instance_variable" if owner.is_instance else "ci_variable"
    details = {"type": "ci_group_variable" if owner.group_id is not None else kind, "name": key, **(more or {})}
    report_change(tx, Change("audited_record", action, variable_id, owner.project_id, owner.group_id, details=details))


def _check(owner: Owner, values: Mapping[str, object]) -> None:
    problems: dict[str, list[str]] = {}
    key, value = str(values["key"]), str(values["value"])
    scope, description = str(values.get("environment_scope", "*")), values.get("description")
    if not key:
        problems["key"] = ["can't be blank"]
    elif not consists_of(key, f"{ALPHANUMERIC}_"):
        problems["key"] = ["can contain only letters, digits and '_'."]
    if len(key) > 255:
        problems.setdefault("key", []).append("is too long (maximum is 255 characters)")
    if values.get("masked") and not is_maskable(value):
        problems["value"] = ["is invalid"]
    if owner.is_instance and len(value) > MAX_INSTANCE_VALUE:
        limit = f"The value of the provided variable exceeds the {MAX_INSTANCE_VALUE} character limit"
        problems.setdefault("value", []).append(limit)
    if not scope or len(scope) > 255:
        problems["environment_scope"] = ["can't be blank" if not scope else "is too long (maximum is 255 characters)"]
    if isinstance(description, str) and len(description) > 255:
        problems["description"] = ["is too long (maximum is 255 characters)"]
    if problems:
        raise Invalid(problems)


def _check_free(tx: Connection, owner: Owner, key: str, scope: str) -> None:
    taken = listed(owner).where(ci_variables.c.key == key, ci_variables.c.environment_scope == scope)
    if tx.execute(taken.limit(1)).first() is not None:
        raise Invalid({"key": [f"({key}) has already been taken"]})


def _check_number(tx: Connection, owner: Owner) -> None:
    if owner.is_instance:
        limit, name = limit_of(tx, "ci_instance_level_variables"), "ci instance level variables"
    else:
        kind = "project" if owner.project_id is not None else "group"
        limit, name = MAX_OWN[kind], f"{kind} ci variables"
    count = int(tx.execute(select(func.count()).select_from(ci_variables).where(owner.condition)).scalar_one())
    if 0 < limit <= count:
        raise Invalid({"base": [f"Maximum number of {name} ({limit}) exceeded"]})
