"""What a page of pipelines shows beside the list form: who started each, how long it ran, and its stages."""

from collections.abc import Sequence
from itertools import groupby

import msgspec
from sqlalchemy import Connection, and_, bindparam, select

from ingot.features.ci.engine import JobState, ci_jobs, composite_status, pipelines
from ingot.identity.tables import users

_ROWS = (
    select(
        pipelines.c.id, pipelines.c.duration, pipelines.c.coverage, pipelines.c.ref, pipelines.c.is_tag,
        pipelines.c.is_protected, users.c.username, users.c.name,
        ci_jobs.c.stage_index, ci_jobs.c.stage, ci_jobs.c.status, ci_jobs.c.allow_failure,
    )
    .select_from(
        pipelines
        .outerjoin(ci_jobs, and_(ci_jobs.c.pipeline_id == pipelines.c.id, ci_jobs.c.is_retried.is_(False)))
        .outerjoin(users, users.c.id == pipelines.c.user_id)
    )
    .where(pipelines.c.id.in_(bindparam("ids", expanding=True)))
    .distinct()
    .order_by(pipelines.c.id, ci_jobs.c.stage_index, ci_jobs.c.stage)
)  # fmt: skip


class Stage(msgspec.Struct, frozen=True):
    """A stage with the status of its jobs together."""

    name: str
    status: str
    has_warnings: bool = False  # a job failed that may


class PipelineSummary(msgspec.Struct, frozen=True):
    """A pipeline of a list; without a name where nobody started it."""

    username: str | None
    user_name: str | None
    duration: int | None
    stages: list[Stage]
    coverage: float | None
    # Of its branch or tag.
    ref: str
    is_tag: bool
    is_protected: bool
    has_failed_jobs: bool

    @property
    def has_warnings(self) -> bool:
        """A job failed that may."""
        return any(stage.has_warnings for stage in self.stages)


def pipeline_summaries(conn: Connection, ids: Sequence[int]) -> dict[int, PipelineSummary]:
    """By id, in one statement."""
    if not ids:
        return {}
    result = {}
    for pipeline_id, part in groupby(conn.execute(_ROWS, {"ids": list(ids)}), key=lambda row: row.id):
        rows = list(part)
        first = rows[0]
        stages = [
            _stage(name, [JobState(job.status, job.allow_failure) for job in jobs])
            for name, jobs in groupby((row for row in rows if row.stage is not None), key=lambda row: row.stage)
        ]
        result[pipeline_id] = PipelineSummary(
            first.username, first.name, first.duration, stages, first.coverage, first.ref, first.is_tag,
            first.is_protected, any(row.status == "failed" for row in rows),
        )  # fmt: skip
    return result


def _stage(name: str, jobs: Sequence[JobState]) -> Stage:
    has_warnings = any(job.status == "failed" and job.allow_failure for job in jobs)
    return Stage(name, composite_status(jobs) or "created", has_warnings)
