"""The machine behind a runner's token, as jobs and runners show it."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, exists, select

from ingot.features.ci.pipelines.runner_states import runner_status
from ingot.features.ci.pipelines.tables import jobs, runner_managers
from ingot.kit.entity import Entity, wire, wire_or_none


class RunnerManager(Entity):
    """A machine that runs under a runner's token."""

    id: int
    system_id: str
    version: str | None
    revision: str | None
    platform: str | None
    architecture: str | None
    created_at: datetime
    contacted_at: datetime | None
    ip_address: str | None
    status: str
    job_execution_status: str


MACHINES = select(
    runner_managers,
    exists().where(jobs.c.runner_manager_id == runner_managers.c.id, jobs.c.status == "running").label("is_busy"),
)


def machines_by_id(conn: Connection, ids: set[Any]) -> dict[int, RunnerManager]:
    """The machines of a page of jobs."""
    wanted = ids - {None}
    if not wanted:
        return {}
    rows = conn.execute(MACHINES.where(runner_managers.c.id.in_(wanted)))
    return {row.id: machine(row) for row in rows}


def machine(row: Any) -> RunnerManager:
    """A row of `MACHINES` on the wire."""
    return RunnerManager(
        id=row.id,
        system_id=row.system_id,
        version=row.version,
        revision=row.revision,
        platform=row.platform,
        architecture=row.architecture,
        created_at=wire(row.created_at),
        contacted_at=wire_or_none(row.contacted_at),
        ip_address=row.ip_address,
        status=runner_status(row.contacted_at, row.created_at),
        job_execution_status="active" if row.is_busy else "idle",
    )
