"""Endpoints of the job token scope: the switch, and the lists of projects and groups that may reach a project."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Table, func, insert, select, update

from ingot.access.call import Call
from ingot.access.policy import ADMIN_PROJECT
from ingot.access.subjects import find_group, find_project
from ingot.access.tables import namespaces, projects
from ingot.access.visibility import visible_groups, visible_projects
from ingot.features.code.job_token_scope.params import AllowGroup, AllowProject, ChangeScope, ListAllowed
from ingot.features.code.job_token_scope.tables import job_token_allowed_groups, job_token_allowed_projects
from ingot.features.spaces.groups import GroupLocation, present_locations
from ingot.features.spaces.projects import ProjectSimple, project_settings, simple_by_id
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import BadRequest, NotFound

routes = Routes("Job token scope", guard=ADMIN_PROJECT)

MAX_ENTRIES = 200


class Scope(Entity):
    """Whether the project limits who reaches it, and whom its own jobs reach."""

    inbound_enabled: bool
    outbound_enabled: bool


class AllowedProject(Entity):
    """An entry of the list of projects."""

    source_project_id: int
    target_project_id: int


class AllowedGroup(Entity):
    """An entry of the list of groups."""

    source_project_id: int
    target_group_id: int


@routes.get("/projects/{id}/job_token_scope", returns=Scope)
def get_job_token_scope(call: Call) -> Answer:
    """The limits on job tokens of a project."""
    settings = project_settings(call.project)
    return Scope(
        inbound_enabled=settings.ci_inbound_job_token_scope_enabled,
        outbound_enabled=settings.ci_job_token_scope_enabled,
    )


@routes.patch("/projects/{id}/job_token_scope", params=ChangeScope, status=204)
def change_job_token_scope(call: Call[ChangeScope]) -> Answer:
    """Limit access to listed projects, or open the project to the tokens of all."""
    with call.write() as tx:
        row = tx.execute(select(projects.c.settings).where(projects.c.id == call.project.id).with_for_update()).one()
        settings = project_settings(row)
        settings.ci_inbound_job_token_scope_enabled = call.params.enabled
        tx.execute(
            update(projects).where(projects.c.id == call.project.id).values(settings=msgspec.to_builtins(settings))
        )


@routes.get("/projects/{id}/job_token_scope/allowlist", params=ListAllowed, returns=list[ProjectSimple])
def list_allowed_projects(call: Call[ListAllowed]) -> Answer:
    """The projects whose jobs may reach this one."""
    listed = job_token_allowed_projects
    statement = (
        select(projects.c.id)
        .join_from(listed, projects, projects.c.id == listed.c.allowed_id)
        .where(listed.c.project_id == call.project.id, visible_projects(call.actor))
        .order_by(projects.c.id)
    )
    return call.page(statement, _present_projects)


def _present_projects(call: Call, rows: Sequence[Row[Any]]) -> list[ProjectSimple]:
    result = simple_by_id(call.conn, call.actor, call.base_url, [row.id for row in rows])
    return [result[row.id] for row in rows if row.id in result]


@routes.post("/projects/{id}/job_token_scope/allowlist", params=AllowProject, returns=AllowedProject, errors=(422,))
def allow_project(call: Call[AllowProject]) -> Answer:
    """Let the jobs of another project reach this one."""
    target = find_project(call.conn, call.actor, call.params.target_project_id)
    if target is None:
        raise NotFound("Project")
    if target.id == call.project.id:
        raise BadRequest("Target project can't be the same as the source project")
    with call.write() as tx:
        _add(tx, job_token_allowed_projects, call.project.id, target.id, "project")
    return AllowedProject(source_project_id=call.project.id, target_project_id=target.id)


@routes.delete("/projects/{id}/job_token_scope/allowlist/{target_project_id}", params=AllowProject)
def disallow_project(call: Call[AllowProject]) -> Answer:
    """Remove a project from the allowlist."""
    _remove(call, job_token_allowed_projects, call.params.target_project_id)


@routes.get("/projects/{id}/job_token_scope/groups_allowlist", params=ListAllowed, returns=list[GroupLocation])
def list_allowed_groups(call: Call[ListAllowed]) -> Answer:
    """The groups whose projects' jobs may reach this one."""
    listed = job_token_allowed_groups
    statement = (
        select(namespaces)
        .join_from(listed, namespaces, namespaces.c.id == listed.c.allowed_id)
        .where(listed.c.project_id == call.project.id, visible_groups(call.actor))
        .order_by(namespaces.c.id)
    )
    return call.page(statement, present_locations)


@routes.post("/projects/{id}/job_token_scope/groups_allowlist", params=AllowGroup, returns=AllowedGroup)
def allow_group(call: Call[AllowGroup]) -> Answer:
    """Let the jobs of a group's projects reach this one."""
    target = find_group(call.conn, call.actor, call.params.target_group_id)
    if target is None:
        raise NotFound("Group")
    with call.write() as tx:
        _add(tx, job_token_allowed_groups, call.project.id, target.id, "group")
    return AllowedGroup(source_project_id=call.project.id, target_group_id=target.id)


@routes.delete("/projects/{id}/job_token_scope/groups_allowlist/{target_group_id}", params=AllowGroup)
def disallow_group(call: Call[AllowGroup]) -> Answer:
    """Remove a group from the allowlist."""
    _remove(call, job_token_allowed_groups, call.params.target_group_id)


def _add(tx: Connection, table: Table, project_id: int, allowed_id: int, kind: str) -> None:
    # Lock the project's row: two calls cannot both take the last place.
    tx.execute(select(projects.c.id).where(projects.c.id == project_id).with_for_update())
    entries = select(table.c.allowed_id).where(table.c.project_id == project_id)
    if tx.execute(entries.where(table.c.allowed_id == allowed_id)).first() is not None:
        raise BadRequest(f"This {kind} is already in the job token allowlist.")
    if tx.execute(select(func.count()).select_from(entries.subquery())).scalar_one() >= MAX_ENTRIES:
        raise BadRequest(f"Projects and groups allowlist size limit of {MAX_ENTRIES} exceeded")
    tx.execute(insert(table).values(project_id=project_id, allowed_id=allowed_id, created_at=now()))


def _remove(call: Call, table: Table, allowed_id: int) -> None:
    with call.write() as tx:
        gone = call.delete_rows(tx, table, (table.c.project_id == call.project.id) & (table.c.allowed_id == allowed_id))
    if not gone:
        raise NotFound
