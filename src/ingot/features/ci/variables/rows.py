"""Rows as typed records, for where they cross the border of a function."""

from datetime import datetime
from typing import Protocol


class CiVariableRow(Protocol):
    """What may be read of a row of `ci_variables`."""

    id: int
    project_id: int | None
    group_id: int | None
    key: str
    sealed_value: str
    variable_type: str
    protected: bool
    masked: bool
    hidden: bool
    raw: bool
    environment_scope: str
    description: str | None
    created_at: datetime


class GivenVariableRow(Protocol):
    """A variable that is given to pipelines, of whichever table."""

    key: str
    sealed_value: str
    variable_type: str
    raw: bool
