"""The plan of a job as it is stored and read back."""

import msgspec

from ingot.features.ci.config import PlannedJob


def stored_plan(plan: PlannedJob) -> object:
    """For the column."""
    return msgspec.to_builtins(plan)


def read_plan(column: object) -> PlannedJob | None:
    """From the column."""
    return None if column is None else msgspec.convert(column, PlannedJob)
