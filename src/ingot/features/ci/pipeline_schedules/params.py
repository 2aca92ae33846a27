"""Parameters of pipeline schedules."""

from typing import Any

from ingot.kit.params import Paging, Param, Params


class SchedulePath(Params):
    """One schedule."""

    pipeline_schedule_id: int = Param("The schedule's id.", required=True)


class ListSchedules(Paging):
    """Which schedules of a project."""

    scope: str | None = Param("Only active or inactive ones.", one_of=("active", "inactive"))


class SchedulePipelines(Paging, SchedulePath):
    """Pipelines that a schedule has started."""

    scope: str | None = Param("Only these.", one_of=("running", "pending", "finished", "branches", "tags"))
    status: str | None = Param("Only with this status.")
    sort: str = Param("Direction.", default="asc", one_of=("asc", "desc"))


class InputOptions(Params):
    """An input of the configuration."""

    name: str = Param("Name.", required=True)
    value: Any = Param("Value.")
    destroy: bool = Param("Remove it.", default=False)


class CreateSchedule(Params):
    """A new schedule."""

    description: str = Param("What it is for.", required=True)
    ref: str = Param("Branch or tag.", required=True)
    cron: str = Param("When, as a cron expression.", required=True)
    cron_timezone: str = Param("Time zone of the expression.", default="UTC")
    active: bool = Param("It runs.", default=True)
    inputs: list[InputOptions] = Param("Inputs of the configuration.")


class UpdateSchedule(SchedulePath):
    """Changes of a schedule."""

    description: str | None = Param("What it is for.")
    ref: str | None = Param("Branch or tag.")
    cron: str | None = Param("When, as a cron expression.")
    cron_timezone: str | None = Param("Time zone of the expression.")
    active: bool | None = Param("It runs.")
    inputs: list[InputOptions] = Param("Inputs of the configuration.")


class CreateVariable(SchedulePath):
    """A variable of a schedule."""

    key: str = Param("Name.", required=True)
    value: str = Param("Value.", required=True)
    variable_type: str = Param("`env_var` or `file`.", default="env_var", one_of=("env_var", "file"))


class UpdateVariable(SchedulePath):
    """Changes of a variable of a schedule."""

    key: str = Param("Name.", required=True)
    value: str | None = Param("Value.")
    variable_type: str | None = Param("`env_var` or `file`.", one_of=("env_var", "file"))


class VariablePath(SchedulePath):
    """One variable of a schedule."""

    key: str = Param("Name.", required=True)
