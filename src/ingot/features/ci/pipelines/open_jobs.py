"""Jobs of the whole instance that have not ended, for administrators; and what the jobs of a pipeline wait for."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, func, select

from ingot.access.tables import projects
from ingot.features.ci.engine import ci_jobs, pipelines

OPEN = ("running", "pending", "preparing", "waiting_for_resource", "canceling")


class OpenJob(msgspec.Struct, frozen=True):
    """A job that waits for a runner, or runs."""

    id: int
    name: str
    status: str
    ref: str
    project_id: int
    project_path: str
    runner_id: int | None
    created_at: datetime
    started_at: datetime | None


def list_open_jobs(conn: Connection, *, most: int = 100) -> list[OpenJob]:
    """The oldest first: whoever waits longest is seen first."""
    table = ci_jobs.c
    query = (
        select(table.id, table.name, table.status, table.ref, table.project_id, projects.c.full_path,
               table.runner_id, table.created_at, table.started_at)
        .join_from(ci_jobs, projects, projects.c.id == table.project_id)
        .where(table.kind == "build", table.status.in_(OPEN))
        .order_by(table.id)
        .limit(most)
    )  # fmt: skip
    return [OpenJob(*row) for row in conn.execute(query)]


def needs_of(conn: Connection, pipeline_id: int) -> dict[str, list[str]]:
    """The names of the jobs that each job of a pipeline needs; jobs that wait for whole stages are not in it."""
    query = select(ci_jobs.c.name, ci_jobs.c.needs).where(ci_jobs.c.pipeline_id == pipeline_id)
    return {row.name: [need["name"] for need in row.needs] for row in conn.execute(query) if row.needs is not None}


def pipelines_of_jobs(conn: Connection, job_ids: Collection[int]) -> dict[int, tuple[str, int]]:
    """By id: the name of each of these jobs, and its pipeline."""
    if not job_ids:
        return {}
    query = select(ci_jobs.c.id, ci_jobs.c.name, ci_jobs.c.pipeline_id).where(ci_jobs.c.id.in_(job_ids))
    return {row.id: (row.name, row.pipeline_id) for row in conn.execute(query)}


def states_of_jobs(conn: Connection, pipeline_id: int) -> list[tuple[int, str, str | None]]:
    """By id: the state of each job of a pipeline, and that of the pipeline that it has started."""
    below = pipelines.alias()
    query = (
        select(ci_jobs.c.id, ci_jobs.c.status, below.c.status)
        .join_from(ci_jobs, below, below.c.id == ci_jobs.c.downstream_id, isouter=True)
        .where(ci_jobs.c.pipeline_id == pipeline_id)
        .order_by(ci_jobs.c.id)
    )
    return [(row[0], row[1], row[2]) for row in conn.execute(query)]


class JobCounts(NamedTuple):
    """How many jobs a pipeline has, without earlier attempts, and how many of them failed."""

    all: int
    failed: int
    allowed: int  # of those that failed: how many may


def job_counts(conn: Connection, pipeline_id: int) -> JobCounts:
    """As the pages of the pipeline show them."""
    table = ci_jobs.c
    failed = func.count().filter(table.status == "failed", table.kind == "build")
    allowed = func.count().filter(table.status == "failed", table.allow_failure)
    query = select(func.count(), failed, allowed).where(table.pipeline_id == pipeline_id, table.is_retried.is_(False))
    return JobCounts(*conn.execute(query).one())


class Starter(NamedTuple):
    """The pipeline whose job started another."""

    id: int
    project_id: int


def starter_of(conn: Connection, pipeline_id: int) -> Starter | None:
    """The pipeline that started this one, maybe of another project."""
    query = select(ci_jobs.c.pipeline_id, ci_jobs.c.project_id).where(ci_jobs.c.downstream_id == pipeline_id)
    row = conn.execute(query.limit(1)).one_or_none()
    return None if row is None else Starter(*row)
