"""Runners on the wire: in lists, in full, and to themselves."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.tables import namespaces, projects
from ingot.features.ci.engine import JobRow, ci_jobs
from ingot.features.ci.pipelines import Job, JobBasic
from ingot.features.ci.runners.contact import runner_status
from ingot.features.ci.runners.queries import newest_machines
from ingot.features.ci.runners.rows import RunnerRow
from ingot.features.ci.runners.tables import runner_groups, runner_projects
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.spaces.groups import group_web_url
from ingot.features.spaces.projects import ProjectIdentity, project_identity
from ingot.kit.entity import Entity, by_key, wire, wire_or_none


class RunnerCredentials(Entity):
    """A new or verified runner, to itself."""

    id: int
    token: str
    token_expires_at: datetime | None


class RunnerTokenShown(Entity):
    """A new token of a runner."""

    token: str
    token_expires_at: datetime | None


class RegistrationToken(Entity):
    """A new registration token."""

    token: str


class Runner(Entity):
    """A runner in a list."""

    id: int
    description: str | None
    ip_address: str | None
    active: bool
    paused: bool
    is_shared: bool
    runner_type: str
    name: str | None
    online: bool | None
    created_by: UserBasic | None
    created_at: datetime
    status: str
    job_execution_status: str


class RunnerGroup(Entity):
    """A group that a runner serves."""

    id: int
    web_url: str
    name: str


class RunnerWhole(Runner):
    """A runner alone."""

    tag_list: list[str]
    run_untagged: bool
    locked: bool
    maximum_timeout: int | None
    access_level: str
    version: str | None
    revision: str | None
    platform: str | None
    architecture: str | None
    contacted_at: datetime | None
    maintenance_note: str | None
    projects: list[ProjectIdentity]
    groups: list[RunnerGroup]


class RunnerJob(JobBasic):
    """A job in the list of a runner, with its project."""

    project: ProjectIdentity  # type: ignore[assignment] # more than a job shows elsewhere


def present_runners(call: Call, rows: Sequence[RunnerRow]) -> list[Runner]:
    """A page of runners."""
    context = _Context(call, rows)
    return [Runner(**context.fields(row)) for row in rows]


def present_whole(call: Call, row: RunnerRow) -> RunnerWhole:
    """One runner with all that is known of it."""
    newest = newest_machines(call.conn, [row.id]).get(row.id)
    return RunnerWhole(
        **_Context(call, [row]).fields(row),
        tag_list=row.tag_list,
        run_untagged=row.run_untagged,
        locked=row.locked,
        maximum_timeout=row.maximum_timeout,
        access_level=row.access_level,
        version=newest.version if newest is not None else None,
        revision=newest.revision if newest is not None else None,
        platform=newest.platform if newest is not None else None,
        architecture=newest.architecture if newest is not None else None,
        contacted_at=wire_or_none(row.contacted_at),
        maintenance_note=row.maintenance_note,
        projects=_projects(call.conn, row.id),
        groups=_groups(call, row.id),
    )


def with_projects(call: Call, rows: Sequence[JobRow], shown: Sequence[Job]) -> list[RunnerJob]:
    """Jobs with their projects."""
    project_ids = {row.project_id for row in rows}
    records = by_key(call.conn.execute(select(projects).where(projects.c.id.in_(project_ids))), lambda row: row.id)
    names = [name for name in JobBasic.__struct_fields__ if name != "project"]
    return [
        RunnerJob(**{name: getattr(job, name) for name in names}, project=project_identity(records[row.project_id]))
        for row, job in zip(rows, shown, strict=True)
    ]


class _Context:
    """Creators of a page of runners, and which runners are busy."""

    def __init__(self, call: Call, rows: Sequence[RunnerRow]) -> None:
        self._people = users_by_id(call.conn, {row.creator_id for row in rows}, call.base_url)
        self._busy = _busy(call.conn, [row.id for row in rows])

    def fields(self, row: RunnerRow) -> dict[str, Any]:
        """The fields of both forms."""
        status = runner_status(row.contacted_at, row.created_at)
        return {
            "id": row.id,
            "description": row.description,
            "ip_address": row.ip_address,
            "active": row.active,
            "paused": not row.active,
            "is_shared": row.runner_type == "instance_type",
            "runner_type": row.runner_type,
            "name": row.name,
            "online": None if row.contacted_at is None else status == "online",
            "created_by": self._people.get(row.creator_id or 0),
            "created_at": wire(row.created_at),
            "status": status,
            "job_execution_status": "active" if row.id in self._busy else "idle",
        }


def _busy(conn: Connection, ids: Sequence[int]) -> set[int]:
    if not ids:
        return set()
    running = select(ci_jobs.c.runner_id).where(ci_jobs.c.runner_id.in_(ids), ci_jobs.c.status == "running").distinct()
    return set(conn.scalars(running))


def _projects(conn: Connection, runner_id: int) -> list[ProjectIdentity]:
    query = (
        select(projects)
        .join_from(runner_projects, projects, projects.c.id == runner_projects.c.project_id)
        .where(runner_projects.c.runner_id == runner_id)
        .order_by(runner_projects.c.id)
        .limit(100)
    )
    return [project_identity(row) for row in conn.execute(query)]


def _groups(call: Call, runner_id: int) -> list[RunnerGroup]:
    query = (
        select(namespaces.c.id, namespaces.c.name, namespaces.c.full_path)
        .join_from(runner_groups, namespaces, namespaces.c.id == runner_groups.c.group_id)
        .where(runner_groups.c.runner_id == runner_id)
        .order_by(namespaces.c.id)
    )
    return [
        RunnerGroup(id=row.id, web_url=group_web_url(row.full_path, call.base_url), name=row.name)
        for row in call.conn.execute(query)
    ]
