"""CI variables on the wire."""

from collections.abc import Sequence
from typing import Any

from ingot.access.call import Call
from ingot.features.ci.variables.rows import CiVariableRow, VariableRow
from ingot.kit.entity import Entity
from ingot.kit.sealing import unseal


class InstanceVariable(Entity):
    """A variable of the instance."""

    variable_type: str
    key: str
    value: str | None
    hidden: bool
    protected: bool
    masked: bool
    raw: bool
    description: str | None


class Variable(InstanceVariable):
    """A variable of a project or group."""

    environment_scope: str


def _fields(call: Call, row: VariableRow) -> dict[str, Any]:
    return {
        "variable_type": row.variable_type,
        "key": row.key,
        "value": None if row.hidden else unseal(call.services, row.sealed_value),
        "hidden": row.hidden,
        "protected": row.protected,
        "masked": row.masked,
        "raw": row.raw,
        "description": row.description,
    }


def present(call: Call, rows: Sequence[CiVariableRow]) -> list[Variable]:
    """Variables of a project or group."""
    return [Variable(**_fields(call, row), environment_scope=row.environment_scope) for row in rows]


def present_instance(call: Call, rows: Sequence[VariableRow]) -> list[InstanceVariable]:
    """Variables of the instance."""
    return [InstanceVariable(**_fields(call, row)) for row in rows]
