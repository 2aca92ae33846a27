"""Reading pipelines and jobs: one step per filter."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select

from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.ci.engine import JOB_COLUMNS, JobRow, ci_jobs, pipelines
from ingot.features.ci.pipelines.entities.pipeline import LISTED_COLUMNS, PLACED_PIPELINES, WHOLE_COLUMNS
from ingot.features.ci.pipelines.params import ListBridges, ListJobs, ListPipelines
from ingot.features.ci.pipelines.rows import WholePipelineRow
from ingot.identity.tables import users
from ingot.kit.clock import through
from ingot.kit.errors import RecordNotFound
from ingot.kit.pagination import Keyset
from ingot.kit.statements import rows_by_id

_SCOPES = {
    "running": pipelines.c.status == "running",
    "pending": pipelines.c.status == "pending",
    "finished": pipelines.c.status.in_(("success", "failed", "canceled")),
}


def _listed(*columns: ColumnElement[Any]) -> Select[Any]:
    return select(*columns).join_from(pipelines, projects, projects.c.id == pipelines.c.project_id)


def listed() -> Select[Any]:
    """Pipelines with what their list form needs."""
    return _listed(*LISTED_COLUMNS)


def pipelines_in(project: Project, options: ListPipelines) -> Select[Any]:
    """The pipelines of a project with all filters."""
    query = _listed(*LISTED_COLUMNS).where(pipelines.c.project_id == project.id, *_conditions(project, options))
    column = pipelines.c[options.order_by]
    order = [column, pipelines.c.id] if options.order_by != "id" else [column]
    return query.order_by(*(part.asc() if options.sort == "asc" else part.desc() for part in order))


def _conditions(project: Project, options: ListPipelines) -> list[ColumnElement[bool]]:
    c = pipelines.c
    result: list[ColumnElement[bool]] = []
    if options.source is None:
        result.append(c.source != "parent_pipeline")
    else:
        result.append(c.source == options.source)
    if options.scope in _SCOPES:
        result.append(_SCOPES[options.scope])
    elif options.scope is not None:
        result.append(c.id.in_(_newest_of_each_ref(project.id, is_tag=options.scope == "tags")))
    for name in ("status", "ref", "sha", "name"):
        value = getattr(options, name)
        if value is not None:
            result.append(c[name] == value)
    if options.yaml_errors is not None:
        result.append(c.yaml_errors.is_not(None) if options.yaml_errors else c.yaml_errors.is_(None))
    if options.username is not None:
        person = select(users.c.id).where(users.c.username_lower == options.username.lower())
        result.append(c.user_id.in_(person))
    return result + _times(options)


def _times(options: ListPipelines) -> list[ColumnElement[bool]]:
    result = []
    for name in ("updated", "created"):
        column = pipelines.c[f"{name}_at"]
        after, before = getattr(options, f"{name}_after"), getattr(options, f"{name}_before")
        if after is not None:
            result.append(column >= after)
        if before is not None:
            result.append(column <= through(before))
    return result


def _newest_of_each_ref(project_id: int, *, is_tag: bool) -> Select[Any]:
    return (
        select(func.max(pipelines.c.id))
        .where(
            pipelines.c.project_id == project_id,
            pipelines.c.is_tag.is_(is_tag),
            pipelines.c.source != "parent_pipeline",
            pipelines.c.ref.not_like("refs/%"),
        )
        .group_by(pipelines.c.ref)
    )


def pipeline_keyset(options: ListPipelines) -> Keyset:
    """Pipelines continue by id."""
    return Keyset(pipelines.c.id, options.sort == "desc", available=options.order_by == "id")


def find_pipeline(conn: Connection, project_id: int, pipeline_id: int) -> WholePipelineRow | None:
    """A whole pipeline of the project, or None."""
    rows: list[WholePipelineRow] = rows_by_id(conn, PLACED_PIPELINES, [pipeline_id])
    return next((row for row in rows if row.project_id == project_id), None)


def get_pipeline(conn: Connection, project_id: int, pipeline_id: int) -> WholePipelineRow:
    """As `find_pipeline`, raising 404."""
    pipeline = find_pipeline(conn, project_id, pipeline_id)
    if pipeline is None:
        raise RecordNotFound
    return pipeline


def latest_pipeline(conn: Connection, project_id: int, ref: str, sha: str) -> WholePipelineRow | None:
    """The newest pipeline of the ref for this commit, or None."""
    return conn.execute(
        _listed(*WHOLE_COLUMNS)
        .where(
            pipelines.c.project_id == project_id,
            pipelines.c.ref == ref,
            pipelines.c.sha == sha,
            pipelines.c.source != "parent_pipeline",
        )
        .order_by(pipelines.c.id.desc())
        .limit(1)
    ).one_or_none()


def whole() -> Select[Any]:
    """Whole pipelines, of any project."""
    return _listed(*WHOLE_COLUMNS)


_WHOLE_BY_IDS = _listed(*WHOLE_COLUMNS).where(pipelines.c.id.in_(bindparam("ids", expanding=True)))


def whole_pipelines(conn: Connection, ids: list[int]) -> list[WholePipelineRow]:
    """Whole pipelines by id, of any project."""
    if not ids:
        return []
    return list(conn.execute(_WHOLE_BY_IDS, {"ids": ids}))


def jobs_in(condition: ColumnElement[bool], options: ListJobs | ListBridges, kind: str = "build") -> Select[Any]:
    """Jobs of one kind with the filters of the lists."""
    query = select(*JOB_COLUMNS).where(condition, ci_jobs.c.kind == kind)
    if options.scope:
        query = query.where(ci_jobs.c.status.in_(options.scope))
    return query.order_by(ci_jobs.c.id.asc() if options.sort == "asc" else ci_jobs.c.id.desc())


def job_keyset(options: ListJobs | ListBridges) -> Keyset:
    """Jobs continue by id."""
    return Keyset(ci_jobs.c.id, options.sort == "desc")


def get_project_job(conn: Connection, project_id: int, job_id: int, kinds: tuple[str, ...] = ("build",)) -> JobRow:
    """A job of the project by id; 404 for unknown ones and for other kinds."""
    row = find_project_job(conn, project_id, job_id, kinds)
    if row is None:
        raise RecordNotFound
    return row


def find_project_job(
    conn: Connection, project_id: int, job_id: int, kinds: tuple[str, ...] = ("build",)
) -> JobRow | None:
    """As `get_project_job`; None for those that it does not know."""
    return conn.execute(
        select(*JOB_COLUMNS).where(
            ci_jobs.c.project_id == project_id, ci_jobs.c.id == job_id, ci_jobs.c.kind.in_(kinds)
        )
    ).one_or_none()
