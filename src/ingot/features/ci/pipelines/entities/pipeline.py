"""Pipelines: the basic form that jobs and merge requests embed, the list form, and the whole."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.ci.engine import ci_jobs, pipelines
from ingot.features.ci.pipelines.entities.detailed_status import DetailedStatus, detailed_status
from ingot.features.ci.pipelines.rows import ListedPipelineRow, WholePipelineRow
from ingot.features.people.users import UserBasic, users_by_id
from ingot.kit.entity import Entity, wire, wire_or_none
from ingot.kit.unchanged import Unchanged


class PipelineBasic(Entity):
    """A pipeline as other records show it."""

    id: int
    iid: int
    project_id: int
    sha: str
    ref: str
    status: str
    source: str
    created_at: datetime
    updated_at: datetime
    web_url: str


class PipelineListed(PipelineBasic):
    """A pipeline in lists."""

    name: str | None


class Pipeline(PipelineListed):
    """A pipeline by itself."""

    before_sha: str
    tag: bool
    yaml_errors: str | None
    user: UserBasic | None
    started_at: datetime | None
    finished_at: datetime | None
    committed_at: datetime | None
    duration: int | None
    queued_duration: int | None
    coverage: str | None
    detailed_status: DetailedStatus
    archived: bool


# What the basic and list forms need, with the path of the project.
LISTED_COLUMNS = (
    pipelines.c.id, pipelines.c.iid, pipelines.c.project_id, pipelines.c.sha, pipelines.c.ref, pipelines.c.status,
    pipelines.c.source, pipelines.c.created_at, pipelines.c.updated_at, pipelines.c.name,
    projects.c.full_path.label("project_path"),
)  # fmt: skip
WHOLE_COLUMNS = (
    *LISTED_COLUMNS, pipelines.c.before_sha, pipelines.c.is_tag, pipelines.c.is_protected, pipelines.c.yaml_errors,
    pipelines.c.user_id, pipelines.c.started_at, pipelines.c.finished_at, pipelines.c.committed_at,
    pipelines.c.duration, pipelines.c.coverage, pipelines.c.merge_request_id,
)  # fmt: skip


# With what their jobs show of them: pages of a pipeline or a job ask once for both.
PLACED_PIPELINES = (
    select(*WHOLE_COLUMNS, pipelines.c.commit, projects.c.settings)
    .join_from(pipelines, projects, projects.c.id == pipelines.c.project_id)
    .where(pipelines.c.id.in_(bindparam("ids", expanding=True)))
)


def pipeline_path(row: ListedPipelineRow) -> str:
    """The page of a pipeline, without the host."""
    return f"/{row.project_path}/-/pipelines/{row.id}"


def basic_fields(row: ListedPipelineRow, base_url: str) -> dict[str, Any]:
    """The fields of the basic form."""
    return {
        "id": row.id,
        "iid": row.iid,
        "project_id": row.project_id,
        "sha": row.sha,
        "ref": row.ref,
        "status": row.status,
        "source": row.source,
        "created_at": wire(row.created_at),
        "updated_at": wire(row.updated_at),
        "web_url": base_url + pipeline_path(row),
    }


def pipeline_basic(row: ListedPipelineRow, base_url: str) -> PipelineBasic:
    """The basic form of a row with `LISTED_COLUMNS`."""
    return PipelineBasic(**basic_fields(row, base_url))


def present_basic(call: Call, rows: Sequence[ListedPipelineRow]) -> list[PipelineBasic]:
    """A page in the basic form."""
    return [pipeline_basic(row, call.base_url) for row in rows]


def present_listed(call: Call, rows: Sequence[ListedPipelineRow]) -> list[PipelineListed]:
    """A page of a list."""
    return [PipelineListed(**basic_fields(row, call.base_url), name=row.name) for row in rows]


def present_pipelines(conn: Connection, rows: Sequence[WholePipelineRow], base_url: str) -> list[Pipeline]:
    """Whole pipelines, of rows with `WHOLE_COLUMNS`."""
    people = users_by_id(conn, [row.user_id for row in rows], base_url)
    warned = _with_warnings(conn, [row.id for row in rows if row.status == "success"])
    result = []
    for row in rows:
        parts = (row, people.get(row.user_id or 0), row.id in warned)
        key = (row.id, base_url)
        shown = _shown.find(key, parts)
        if shown is None:
            shown = _shown.keep(key, parts, _pipeline(*parts, base_url), row.yaml_errors)
        result.append(shown)
    return result


_shown: Unchanged[Pipeline] = Unchanged()


def _pipeline(row: WholePipelineRow, user: UserBasic | None, has_warnings: bool, base_url: str) -> Pipeline:
    queued = None if row.started_at is None else max(0, int((row.started_at - row.created_at).total_seconds()))
    return Pipeline(
        **basic_fields(row, base_url),
        name=row.name,
        before_sha=row.before_sha,
        tag=row.is_tag,
        yaml_errors=row.yaml_errors,
        user=user,
        started_at=wire_or_none(row.started_at),
        finished_at=wire_or_none(row.finished_at),
        committed_at=wire_or_none(row.committed_at),
        duration=row.duration,
        queued_duration=queued,
        coverage=None if row.coverage is None else f"{row.coverage:.2f}",
        detailed_status=detailed_status(row.status, pipeline_path(row), has_warnings=has_warnings),
        archived=False,
    )


_WITH_WARNINGS = (
    select(ci_jobs.c.pipeline_id)
    .where(
        ci_jobs.c.pipeline_id.in_(bindparam("ids", expanding=True)),
        ci_jobs.c.is_retried.is_(False),
        ci_jobs.c.allow_failure.is_(True),
        ci_jobs.c.status.in_(("failed", "canceled")),
    )
    .distinct()
)


def _with_warnings(conn: Connection, ids: Iterable[int]) -> set[int]:
    """Pipelines in which a job failed that was allowed to."""
    pipeline_ids = list(ids)
    return set(conn.execute(_WITH_WARNINGS, {"ids": pipeline_ids}).scalars()) if pipeline_ids else set()
