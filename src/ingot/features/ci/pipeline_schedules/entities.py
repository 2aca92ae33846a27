"""Pipeline schedules on the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.ci.engine import pipelines
from ingot.features.ci.pipeline_schedules.rows import PipelineScheduleRow
from ingot.features.ci.pipeline_schedules.tables import pipeline_schedule_variables
from ingot.features.ci.variables import GivenVariableRow, read_given
from ingot.features.people.users import UserBasic, users_by_id
from ingot.kit.entity import UNSET, Entity, UnsetType, wire, wire_or_none


class Schedule(Entity):
    """A schedule in lists."""

    id: int
    description: str
    ref: str
    cron: str
    cron_timezone: str
    next_run_at: datetime | None
    active: bool
    created_at: datetime
    updated_at: datetime
    owner: UserBasic | None


class ScheduleVariable(Entity):
    """A variable of a schedule."""

    key: str
    variable_type: str
    value: str
    raw: bool


class ScheduleInput(Entity):
    """An input of a schedule."""

    name: str
    value: Any


class LastPipeline(Entity):
    """The pipeline that a schedule started last."""

    id: int
    sha: str
    ref: str
    status: str


class ScheduleDetails(Schedule, kw_only=True):
    """A schedule by itself; variables are for those who may change it."""

    last_pipeline: LastPipeline | None
    variables: list[ScheduleVariable] | UnsetType = UNSET
    inputs: list[ScheduleInput] | UnsetType = UNSET


def _fields(row: PipelineScheduleRow, people: dict[int, UserBasic]) -> dict[str, Any]:
    return {
        "id": row.id,
        "description": row.description,
        "ref": row.ref,
        "cron": row.cron,
        "cron_timezone": row.cron_timezone,
        "next_run_at": wire_or_none(row.next_run_at),
        "active": row.active,
        "created_at": wire(row.created_at),
        "updated_at": wire(row.updated_at),
        "owner": people.get(row.owner_id or 0),
    }


def present(call: Call, rows: Sequence[PipelineScheduleRow]) -> list[Schedule]:
    """A page of schedules."""
    people = users_by_id(call.conn, [row.owner_id for row in rows], call.base_url)
    return [Schedule(**_fields(row, people)) for row in rows]


def present_details(call: Call, row: PipelineScheduleRow, *, with_variables: bool) -> ScheduleDetails:
    """One schedule with its last pipeline and, for those who may see them, its variables."""
    people = users_by_id(call.conn, [row.owner_id], call.base_url)
    last = call.conn.execute(
        select(pipelines.c.id, pipelines.c.sha, pipelines.c.ref, pipelines.c.status).where(
            pipelines.c.id == (row.last_pipeline_id or 0)
        )
    ).one_or_none()
    return ScheduleDetails(
        **_fields(row, people),
        last_pipeline=None
        if last is None
        else LastPipeline(id=last.id, sha=last.sha, ref=last.ref, status=last.status),
        variables=_variables(call, row.id) if with_variables else UNSET,
        inputs=[ScheduleInput(name=one["name"], value=one["value"]) for one in row.inputs] if with_variables else UNSET,
    )


def _variables(call: Call, schedule_id: int) -> list[ScheduleVariable]:
    table = pipeline_schedule_variables
    rows = call.conn.execute(select(table).where(table.c.schedule_id == schedule_id).order_by(table.c.id))
    return [variable(call, row) for row in rows]


def variable(call: Call, row: GivenVariableRow) -> ScheduleVariable:
    """One variable."""
    given = read_given(call.services, row)
    return ScheduleVariable(key=given.key, variable_type=given.variable_type, value=given.value, raw=given.raw)
