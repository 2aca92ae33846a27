"""The machines behind runners' tokens, and the runners that jobs show."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Select, Table, exists, select

from ingot.features.ci.engine import JobRow, ci_jobs
from ingot.features.ci.pipelines import JobRunner, RunnerManager, runner_source
from ingot.features.ci.runners.contact import runner_status
from ingot.features.ci.runners.rows import MachineRow, RunnerRow
from ingot.features.ci.runners.tables import runner_managers, runners
from ingot.kit.entity import by_key, wire, wire_or_none

MACHINES = select(
    runner_managers,
    exists().where(ci_jobs.c.runner_manager_id == runner_managers.c.id, ci_jobs.c.status == "running").label("is_busy"),
)


def present_machine(row: MachineRow) -> RunnerManager:
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


@runner_source
def runners_of_jobs(conn: Connection, rows: Sequence[JobRow]) -> tuple[dict[int, JobRunner], dict[int, RunnerManager]]:
    """The runners and machines of a page of jobs, by id."""
    takers = _by_id(conn, select(runners), runners, (row.runner_id for row in rows))
    managers = _by_id(conn, MACHINES, runner_managers, (row.runner_manager_id for row in rows))
    return (
        {key: _job_runner(row) for key, row in takers.items()},
        {key: present_machine(row) for key, row in managers.items()},
    )


def _by_id(conn: Connection, query: Select[Any], table: Table, ids: Iterable[int | None]) -> dict[int, Any]:
    known_ids = set(ids) - {None}
    if not known_ids:
        return {}
    return by_key(conn.execute(query.where(table.c.id.in_(known_ids))), lambda row: row.id)


def _job_runner(row: RunnerRow) -> JobRunner:
    status = runner_status(row.contacted_at, row.created_at)
    return JobRunner(
        id=row.id,
        description=row.description,
        ip_address=row.ip_address,
        active=row.active,
        paused=not row.active,
        is_shared=row.runner_type == "instance_type",
        runner_type=row.runner_type,
        name=row.name,
        online=None if status == "never_contacted" else status == "online",
        status=status,
    )
