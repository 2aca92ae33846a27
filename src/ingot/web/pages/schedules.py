"""Pipeline schedules: the list, one schedule with its variables and pipelines."""

from collections.abc import Mapping
from typing import Any

from ingot.access.policy import READ_BUILDS
from ingot.features.ci.pipeline_schedules import may_change_schedule, may_own_schedule
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare, show_page

pages = Pages("project")
GUARD = InProject(READ_BUILDS)
SCHEDULES = "/projects/:id/pipeline_schedules"
SCHEDULE = f"{SCHEDULES}/:pipeline_schedule_id"
INPUTS = (
    Input("description"), Input("ref", "Branch or tag"), Input("cron", "When", start="0 4 * * *"),
    Input("cron_timezone", "Time zone", start="UTC"), Input("active", start=True),
    Input("inputs", "Inputs, one name=value per line", kind="inputs", hint=""),
)  # fmt: skip
FACTS = (
    ("Branch or tag", "ref"), ("When", "cron"), ("Time zone", "cron_timezone"), ("Next run", "next_run_at"),
    ("Active", "active"), ("Owner", "owner"),
)  # fmt: skip


# Any: a record of the API.
def _may(call: PageCall, record: Mapping[str, Any], verb: str) -> bool:
    owner = record.get("owner") or {}
    if verb == "own" and owner.get("id") == call.actor.user_id:
        return False
    rule = may_own_schedule if verb == "own" else may_change_schedule
    return rule(call.actor, call.project, owner.get("id"))


def _with_removed_inputs(call: PageCall, given: dict[str, object]) -> dict[str, object]:
    """The API keeps inputs that it is not told of: those that the form has no more are named."""
    said = given.get("inputs")
    rows = said if isinstance(said, list) else []
    record = call.ask(SCHEDULE, pipeline_schedule_id=call.path["pipeline_schedule_id"])
    names = {row["name"] for row in rows}
    gone = [{"name": row["name"], "destroy": True} for row in record.get("inputs") or [] if row["name"] not in names]
    return {"inputs": [*rows, *gone]}


LIST = Collection(
    "schedules", "Pipeline schedules", SCHEDULES, one="pipeline_schedule_id", name="description",
    about="Pipelines that run on a schedule.", add="New schedule", remove="Delete", facts=FACTS, inputs=INPUTS,
    verbs=(Verb("play", "Run now", "/:pipeline_schedule_id/play"),
           Verb("own", "Take ownership", "/:pipeline_schedule_id/take_ownership")),
    empty="No schedules.", href="pipeline_schedules/{}/edit", allows=_may,
)  # fmt: skip
ONE = Settings("schedule", "Schedule", SCHEDULE, INPUTS, facts=FACTS, remove="Delete schedule", allows=_may,
               adapt=_with_removed_inputs)  # fmt: skip
VARIABLES = Collection(
    "variables", "Variables", SCHEDULE, one="key", by="key", name="key", listed="variables",
    about="Variables for the jobs of this schedule.", add="Add variable", add_address=f"{SCHEDULE}/variables",
    records=f"{SCHEDULE}/variables", facts=(("Type", "variable_type"),),
    inputs=(Input("key"), Input("value", kind="long"), Input("variable_type", "Type", start="env_var")),
    edits=(Input("value", kind="long"), Input("variable_type", "Type")),
)  # fmt: skip
PIPELINES = Collection(
    "pipelines", "Pipelines", f"{SCHEDULE}/pipelines", one="pipeline_id", name="id", remove="",
    facts=(("State", "status"), ("Branch or tag", "ref"), ("Created", "created_at")), fixed={"sort": "desc"},
    empty="No pipelines yet.",
)  # fmt: skip


def _keys(call: PageCall) -> Mapping[str, object]:
    return {"pipeline_schedule_id": call.path["pipeline_schedule_id"]}


ALL_PAGE = SettingsPage("pipeline_schedules", "Pipeline schedules", (LIST,), "pipelines")
ONE_PAGE = SettingsPage(
    "pipeline_schedules/{pipeline_schedule_id:int}/edit", "Pipeline schedule", (ONE, VARIABLES, PIPELINES), "pipelines",
    keys=_keys, above="pipeline_schedules", titled_by="description",
)  # fmt: skip
declare(pages, ALL_PAGE, project_view, GUARD)
declare(pages, ONE_PAGE, project_view, GUARD)


@pages.get("pipeline_schedules/new", guard=GUARD)
def show_new_schedule(call: PageCall) -> View:
    """The list with the form for a new schedule open."""
    call.require("POST", "/projects/:id/pipeline_schedules")
    return show_page(call, ALL_PAGE, project_view, LIST.key)
