"""Parameters of the plan limits endpoints; the integers are made from the table of limits."""

from collections.abc import Callable
from typing import Any, cast

from ingot.features.instance.plan_limits.fields import DEFAULT_PLAN, LIMITS, Limit
from ingot.kit.params import Param, Params


class PlanName(Params):
    """Which plan to read."""

    plan_name: str = Param("Name of the plan.", default=DEFAULT_PLAN)


class PlanToChange(Params):
    """Which plan to change."""

    plan_name: str = Param("Name of the plan.", required=True)

    def limits(self) -> dict[str, int]:
        """The limits that the caller sent."""
        return {name: value for name, value in self.given().items() if name in LIMITS}


def _within(limit: Limit) -> Callable[[int], str | None]:
    return lambda value: None if -limit.largest <= value <= limit.largest else "is invalid"


def _with_limits() -> type[PlanToChange]:
    fields: dict[str, Any] = {
        name: Param(limit.doc, check=_within(limit), blank=False) for name, limit in LIMITS.items()
    }
    body = {"__annotations__": dict.fromkeys(LIMITS, int | None), "__module__": __name__, **fields}
    return cast("type[PlanToChange]", type("ChangedLimits", (PlanToChange,), body))


ChangedLimits = _with_limits()
