"""Rows as typed records, for passing between functions."""

from datetime import datetime
from typing import Protocol


class VariableRow(Protocol):
    """The columns that variables of projects, groups and the instance share."""

    id: int
    key: str
    sealed_value: str
    variable_type: str
    protected: bool
    masked: bool
    hidden: bool
    raw: bool
    description: str | None
    created_at: datetime


class CiVariableRow(VariableRow, Protocol):
    """A row of `ci_variables`."""

    project_id: int | None
    group_id: int | None
    environment_scope: str


class GivenVariableRow(Protocol):
    """A variable that is given to pipelines, of whichever table."""

    key: str
    sealed_value: str
    variable_type: str
    raw: bool


class InheritedVariableRow(CiVariableRow, Protocol):
    """A variable with the distance from the project to the group that has it."""

    depth: int | None
