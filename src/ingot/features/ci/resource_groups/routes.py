"""Endpoints of resource groups."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from ingot.access.call import Call
from ingot.features.ci.engine import (
    HOLDING,
    JOB_COLUMNS,
    PROCESS_MODES,
    READ_JOBS,
    UPDATE_JOBS,
    ci_jobs,
    order_in_line,
    resource_groups,
)
from ingot.features.ci.pipelines import Job, present_jobs
from ingot.features.ci.resource_groups.rows import ResourceGroupRow
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity, wire
from ingot.kit.errors import NotFound
from ingot.kit.params import Paging, Param, Params

routes = Routes("Resource groups")
_ALL = "/projects/{id}/resource_groups"
_ONE = _ALL + "/{key}"


class ResourceGroup(Entity):
    """Jobs that run one at a time."""

    id: int
    key: str
    process_mode: str
    created_at: datetime
    updated_at: datetime


class GroupPath(Params):
    """One resource group."""

    key: str = Param("The group's key.", required=True)


class GroupJobs(Paging, GroupPath):
    """Jobs of one resource group."""


class UpdateGroup(GroupPath):
    """Changes of a resource group."""

    process_mode: str | None = Param("Which waiting job is next.", one_of=PROCESS_MODES)


def present(call: Call, rows: Sequence[ResourceGroupRow]) -> list[ResourceGroup]:
    """A page of resource groups."""
    del call
    return [
        ResourceGroup(
            id=row.id,
            key=row.key,
            process_mode=row.process_mode,
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
        )
        for row in rows
    ]


def _find(call: Call[GroupPath]) -> ResourceGroupRow:
    table = resource_groups
    row = call.conn.execute(
        select(table).where(table.c.project_id == call.project.id, table.c.key == call.params.key)
    ).one_or_none()
    if row is None:
        raise NotFound("Resource Group")
    return row


def _jobs(call: Call[GroupJobs], statuses: tuple[str, ...]) -> Answer:
    group = _find(call)
    query = (
        select(*JOB_COLUMNS)
        .where(ci_jobs.c.resource_group_id == group.id, ci_jobs.c.kind == "build", ci_jobs.c.status.in_(statuses))
        .order_by(*order_in_line(group.process_mode))
    )
    return call.page(query, present_jobs)


@routes.get(_ALL, guard=READ_JOBS, params=Paging, returns=list[ResourceGroup])
def list_resource_groups(call: Call[Paging]) -> Answer:
    """Resource groups of a project."""
    table = resource_groups
    return call.page(select(table).where(table.c.project_id == call.project.id).order_by(table.c.id.desc()), present)


@routes.get(_ONE, guard=READ_JOBS, params=GroupPath, returns=ResourceGroup)
def get_resource_group(call: Call[GroupPath]) -> Answer:
    """One resource group."""
    return present(call, [_find(call)])[0]


@routes.get(_ONE + "/current_job", guard=READ_JOBS, params=GroupJobs, returns=list[Job])
def list_current_job_of_resource_group(call: Call[GroupJobs]) -> Answer:
    """The job that currently has the resource."""
    return _jobs(call, HOLDING)


@routes.get(_ONE + "/upcoming_jobs", guard=READ_JOBS, params=GroupJobs, returns=list[Job])
def list_upcoming_jobs_of_resource_group(call: Call[GroupJobs]) -> Answer:
    """Jobs that wait for the resource, the next first."""
    return _jobs(call, ("waiting_for_resource",))


@routes.put(_ONE, guard=UPDATE_JOBS, params=UpdateGroup, returns=ResourceGroup)
def update_resource_group(call: Call[UpdateGroup]) -> Answer:
    """Change which waiting job runs next."""
    row = _find(call)
    if call.params.process_mode is not None:
        table = resource_groups
        with call.write() as tx:
            tx.execute(
                update(table)
                .where(table.c.id == row.id)
                .values(process_mode=call.params.process_mode, updated_at=now())
            )
    return present(call, [_find(call)])[0]
