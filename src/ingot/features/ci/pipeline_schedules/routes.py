"""Endpoints of pipeline schedules."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select, delete, select, update

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.ci.engine import CREATE_SCHEDULE, READ_JOBS, UPDATE_JOBS, find_ref, may_run_for, pipelines
from ingot.features.ci.pipeline_schedules import commands, policy
from ingot.features.ci.pipeline_schedules.entities import (
    Schedule,
    ScheduleDetails,
    ScheduleVariable,
    present,
    present_details,
    variable,
)
from ingot.features.ci.pipeline_schedules.params import (
    CreateSchedule,
    CreateVariable,
    ListSchedules,
    SchedulePath,
    SchedulePipelines,
    UpdateSchedule,
    UpdateVariable,
    VariablePath,
)
from ingot.features.ci.pipeline_schedules.rows import PipelineScheduleRow
from ingot.features.ci.pipeline_schedules.tables import pipeline_schedule_variables, pipeline_schedules
from ingot.features.ci.pipelines import LISTED_COLUMNS, PipelineBasic, present_basic
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.spaces.projects import repository_of
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import MessageOnly
from ingot.kit.errors import Forbidden, Invalid
from ingot.kit.sealing import seal

TEXTS = ("description", "ref", "cron", "cron_timezone")
routes = Routes("Pipeline schedules")
_ALL = "/projects/{id}/pipeline_schedules"
_ONE = _ALL + "/{pipeline_schedule_id}"


def _find(call: Call[SchedulePath]) -> PipelineScheduleRow:
    return commands.get_schedule(call.conn, call.project.id, call.params.pipeline_schedule_id)


def _changeable(call: Call[SchedulePath]) -> PipelineScheduleRow:
    row = _find(call)
    if not policy.may_change(call.actor, call.project, row.owner_id):
        raise Forbidden
    return row


def _shown(call: Call, schedule_id: int) -> ScheduleDetails:
    row = commands.get_schedule(call.conn, call.project.id, schedule_id)
    return present_details(call, row, with_variables=policy.may_change(call.actor, call.project, row.owner_id))


def _require_ref(call: Call, name: str) -> None:
    """The ref exists and the caller may run pipelines on it."""
    ref = find_ref(repository_of(call.services, call.project), name)
    if ref is None:
        raise Invalid({"ref": ["is invalid"]})
    if not may_run_for(load_protection(call.conn, call.actor, call.project), ref.name, is_tag=ref.is_tag):
        raise Forbidden


def _inputs(call: Call[CreateSchedule | UpdateSchedule], known: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
    result = {one["name"]: one["value"] for one in known}
    for item in call.params.inputs:
        if item.destroy:
            result.pop(item.name, None)
        else:
            result[item.name] = item.value
    return [{"name": name, "value": value} for name, value in result.items()]


@routes.get(_ALL, guard=READ_JOBS, params=ListSchedules, returns=list[Schedule])
def list_pipeline_schedules(call: Call[ListSchedules]) -> Answer:
    """Pipeline schedules of a project."""
    table = pipeline_schedules
    query = select(table).where(table.c.project_id == call.project.id).order_by(table.c.id)
    if call.params.scope is not None:
        query = query.where(table.c.active.is_(call.params.scope == "active"))
    return call.page(query, present)


@routes.get(_ONE, guard=READ_JOBS, params=SchedulePath, returns=ScheduleDetails)
def get_pipeline_schedule(call: Call[SchedulePath]) -> Answer:
    """One pipeline schedule, with its variables for those who may change it."""
    return _shown(call, call.params.pipeline_schedule_id)


@routes.get(_ONE + "/pipelines", guard=READ_JOBS, params=SchedulePipelines, returns=list[PipelineBasic])
def list_pipelines_of_schedule(call: Call[SchedulePipelines]) -> Answer:
    """Pipelines that a schedule has started."""
    return call.page(_pipelines_of(_find(call).id, call.params), present_basic)


def _pipelines_of(schedule_id: int, options: SchedulePipelines) -> Select[Any]:
    query = (
        select(*LISTED_COLUMNS)
        .join_from(pipelines, projects, projects.c.id == pipelines.c.project_id)
        .where(pipelines.c.schedule_id == schedule_id)
    )
    if options.status is not None:
        query = query.where(pipelines.c.status == options.status)
    match options.scope:
        case "running" | "pending":
            query = query.where(pipelines.c.status == options.scope)
        case "finished":
            query = query.where(pipelines.c.status.in_(("success", "failed", "canceled")))
        case "branches" | "tags":
            query = query.where(pipelines.c.is_tag.is_(options.scope == "tags"))
    return query.order_by(pipelines.c.id.asc() if options.sort == "asc" else pipelines.c.id.desc())


@routes.post(_ALL, guard=CREATE_SCHEDULE, params=CreateSchedule, returns=ScheduleDetails)
def create_pipeline_schedule(call: Call[CreateSchedule]) -> Answer:
    """Create a pipeline schedule."""
    options = call.params
    values = {name: getattr(options, name) for name in (*TEXTS, "active")}
    commands.check({name: values[name] for name in TEXTS})
    _require_ref(call, options.ref)
    with call.write() as tx:
        created = commands.create(tx, call.project.id, call.actor.id, {**values, "inputs": _inputs(call, [])})
    return _shown(call, created)


@routes.put(_ONE, guard=CREATE_SCHEDULE, params=UpdateSchedule, returns=ScheduleDetails)
def update_pipeline_schedule(call: Call[UpdateSchedule]) -> Answer:
    """Change a schedule; for its owner and maintainers."""
    row = _changeable(call)
    names = (*TEXTS, "active")
    values = {name: value for name, value in call.params.given().items() if name in names and value is not None}
    commands.check({name: values[name] for name in TEXTS if name in values})
    if "ref" in values:
        _require_ref(call, values["ref"])
    if call.params.inputs:
        values["inputs"] = _inputs(call, row.inputs)
    with call.write() as tx:
        commands.change(tx, row, values)
    return _shown(call, row.id)


@routes.post(_ONE + "/take_ownership", guard=CREATE_SCHEDULE, params=SchedulePath, returns=ScheduleDetails)
def take_ownership_of_pipeline_schedule(call: Call[SchedulePath]) -> Answer:
    """Make the caller the owner of the schedule; for maintainers."""
    row = _find(call)
    if not policy.may_take_ownership(call.actor, call.project, row.owner_id):
        raise Forbidden
    with call.write() as tx:
        commands.change(tx, row, {"owner_id": call.actor.id})
    return _shown(call, row.id)


@routes.delete(_ONE, guard=CREATE_SCHEDULE, params=SchedulePath)
def delete_pipeline_schedule(call: Call[SchedulePath]) -> None:
    """Delete a schedule; its pipelines stay."""
    row = _changeable(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.remove(tx, row.id)


@routes.post(_ONE + "/play", guard=UPDATE_JOBS, params=SchedulePath, returns=MessageOnly)
def play_pipeline_schedule(call: Call[SchedulePath]) -> Answer:
    """Run a schedule's pipeline now, for the caller; its next run stays as planned."""
    row = _find(call)
    _require_ref(call, row.ref)
    commands.run(call.services, row.id, call.actor.user_id)
    return MessageOnly(message="201 Created")


@routes.post(_ONE + "/variables", guard=CREATE_SCHEDULE, params=CreateVariable, returns=ScheduleVariable)
def create_pipeline_schedule_variable(call: Call[CreateVariable]) -> Answer:
    """Add a variable to a schedule."""
    row, options = _changeable(call), call.params
    with call.write() as tx:
        commands.add_variable(tx, call.services, row.id, options.key, options.value or "", options.variable_type)
    return variable(call, commands.get_variable(call.conn, row.id, options.key))


@routes.put(_ONE + "/variables/{key}", guard=CREATE_SCHEDULE, params=UpdateVariable, returns=ScheduleVariable)
def update_pipeline_schedule_variable(call: Call[UpdateVariable]) -> Answer:
    """Change a variable of a schedule."""
    row = _changeable(call)
    variable_row = commands.get_variable(call.conn, row.id, call.params.key)
    values: dict[str, Any] = {}
    if call.params.value is not None:
        values["sealed_value"] = seal(call.services, call.params.value)
    if call.params.variable_type is not None:
        values["variable_type"] = call.params.variable_type
    if values:
        table = pipeline_schedule_variables
        with call.write() as tx:
            tx.execute(update(table).where(table.c.id == variable_row.id).values(**values))
    return variable(call, commands.get_variable(call.conn, row.id, call.params.key))


@routes.delete(
    _ONE + "/variables/{key}", guard=CREATE_SCHEDULE, params=VariablePath, returns=ScheduleVariable, status=202
)
def delete_pipeline_schedule_variable(call: Call[VariablePath]) -> Answer:
    """Delete a variable of a schedule."""
    row = _changeable(call)
    variable_row = commands.get_variable(call.conn, row.id, call.params.key)
    shown = variable(call, variable_row)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        tx.execute(delete(pipeline_schedule_variables).where(pipeline_schedule_variables.c.id == variable_row.id))
    return shown
