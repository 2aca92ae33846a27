"""Plan limits endpoints, for administrators."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.instance.plan_limits import commands, queries
from ingot.features.instance.plan_limits.entities import PlanLimitsObject, present
from ingot.features.instance.plan_limits.fields import DEFAULT_PLAN, PLAN_NAMES, PLANS_OF_TIER
from ingot.features.instance.plan_limits.params import ChangedLimits, PlanName, PlanToChange
from ingot.kit.endpoint import Routes
from ingot.kit.errors import NotFound, ParamError

routes = Routes("Plan limits", guard=ADMINISTRATOR, returns=PlanLimitsObject)


@routes.get("/application/plan_limits", params=PlanName, guard_first=True, errors=(404,))
def get_plan_limits(call: Call[PlanName]) -> PlanLimitsObject:
    """The limits of a plan. Administrators only."""
    return present(queries.limits_of(call.conn, _existing_plan(call)))


@routes.put("/application/plan_limits", params=ChangedLimits, guard_first=True, errors=(404,))
def change_plan_limits(call: Call[PlanToChange]) -> PlanLimitsObject:
    """Change limits of a plan; those that are not sent stay. Changes hold at once. Administrators only."""
    plan = _existing_plan(call)
    with call.write() as tx:
        return present(commands.change_limits(tx, call.actor, plan, call.params.limits()))


def _existing_plan(call: Call[PlanName | PlanToChange]) -> str:
    """400 for a name that this edition does not know, 404 for one without a record on this instance."""
    name = call.params.plan_name
    tier = call.services.settings.tier
    if name not in (PLAN_NAMES if tier != "free" else (DEFAULT_PLAN,)):
        raise ParamError("plan_name does not have a valid value")
    if name not in PLANS_OF_TIER[tier]:
        raise NotFound("Plan")
    return name
