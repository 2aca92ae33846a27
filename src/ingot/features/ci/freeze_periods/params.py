"""Parameters of the freeze period endpoints."""

from ingot.kit.params import CursorPaging, Param, Params


class ListFreezePeriods(CursorPaging):
    """A page of freeze periods."""


class FreezePeriodPath(Params):
    """One freeze period."""

    freeze_period_id: int = Param("The period's id.", required=True)


class CreateFreezePeriod(Params):
    """A new freeze period."""

    freeze_start: str = Param("When it begins, as a cron expression.", required=True)
    freeze_end: str = Param("When it ends, as a cron expression.", required=True)
    cron_timezone: str = Param("Time zone of both.", default="UTC")


class UpdateFreezePeriod(FreezePeriodPath):
    """Changes of a freeze period."""

    freeze_start: str | None = Param("When it begins, as a cron expression.")
    freeze_end: str | None = Param("When it ends, as a cron expression.")
    cron_timezone: str | None = Param("Time zone of both.")
