"""Parameters of pipeline triggers."""

from datetime import datetime
from typing import Any

from ingot.kit.params import Paging, Param, Params


class TriggerPath(Params):
    """One trigger token."""

    trigger_id: int = Param("The trigger's id.", required=True)


class ListTriggers(Paging):
    """A page of trigger tokens."""


class CreateTrigger(Params):
    """A new trigger token."""

    description: str = Param("What it is for.", required=True)
    expires_at: datetime | None = Param("When it stops working.")


class UpdateTrigger(TriggerPath):
    """Changes of a trigger token."""

    description: str | None = Param("What it is for.")


class FireTrigger(Params):
    """Starting a pipeline with a token."""

    ref: str = Param("Branch or tag.", required=True, blank=False)
    token: str = Param("The trigger token, or a job token.", required=True)
    variables: dict[str, Any] | None = Param("Variables of the pipeline.")
    inputs: dict[str, Any] | None = Param("Inputs of the configuration.")
