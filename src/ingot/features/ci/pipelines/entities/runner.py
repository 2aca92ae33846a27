"""The runner of a job and its machine. Runners are a room above pipelines, and register how theirs are found."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from ingot.features.ci.engine import JobRow
from ingot.kit.entity import Entity


class JobRunner(Entity):
    """The runner that took a job."""

    id: int
    description: str | None
    ip_address: str | None
    active: bool
    paused: bool
    is_shared: bool
    runner_type: str
    name: str | None
    online: bool | None
    status: str


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


RunnersOfJobs = tuple[Mapping[int, JobRunner], Mapping[int, RunnerManager]]
FindRunners = Callable[[Connection, Sequence[JobRow]], RunnersOfJobs]
_sources: list[FindRunners] = []


def runner_source(source: FindRunners) -> FindRunners:
    """Register how the runners and machines of job rows are found, both by id."""
    _sources[:] = [source]
    return source


def runners_of_jobs(conn: Connection, rows: Sequence[JobRow]) -> RunnersOfJobs:
    """The runners and machines of a page of jobs."""
    return _sources[0](conn, rows) if _sources else ({}, {})
