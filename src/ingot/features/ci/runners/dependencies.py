"""The jobs whose archives and variables a job receives."""

from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from ingot.features.ci.config import CrossNeed, PlannedJob, expand
from ingot.features.ci.engine import JobRow, ci_jobs, may_read_builds, pipelines, project_as
from ingot.features.ci.job_artifacts import find_archive, find_job_by_ref, may_read_artifacts
from ingot.features.ci.job_outputs import job_artifacts
from ingot.features.ci.runners.job_facts import Dependency
from ingot.features.ci.runners.rows import DependencyRow, LocalDependencyRow
from ingot.kit.clock import now
from ingot.kit.ids import parse_id

_COLUMNS = (
    ci_jobs.c.id,
    ci_jobs.c.name,
    ci_jobs.c.dotenv,
    ci_jobs.c.erased_at,
    ci_jobs.c.artifacts_expire_at,
    ci_jobs.c.stage_index,
)


class MissingDependency(Exception):
    """The artifacts of a job that this one needs are gone."""


def dependencies_of(conn: Connection, job: JobRow, plan: PlannedJob, scope: dict[str, str]) -> list[DependencyRow]:
    """Rows of the earlier jobs whose results it receives, in order. Raises `MissingDependency`."""
    result = _local(conn, job, plan)
    for row in result:
        if row.erased_at is not None or (
            row.artifacts_expire_at is not None and row.artifacts_expire_at <= now() and not row.is_locked
        ):
            raise MissingDependency
    return [*result, *_elsewhere(conn, job, plan, scope)]


def _local(conn: Connection, job: JobRow, plan: PlannedJob) -> list[LocalDependencyRow]:
    query = (
        select(*_COLUMNS, pipelines.c.is_locked)
        .join_from(ci_jobs, pipelines, pipelines.c.id == ci_jobs.c.pipeline_id)
        .where(ci_jobs.c.pipeline_id == job.pipeline_id, ci_jobs.c.is_retried.is_(False), ci_jobs.c.kind == "build")
        .order_by(ci_jobs.c.stage_index, ci_jobs.c.id)
    )
    if plan.needs is not None:
        names = [need.name for need in plan.needs if need.artifacts]
        query = query.where(ci_jobs.c.name.in_(names))
    else:
        query = query.where(ci_jobs.c.stage_index < job.stage_index)
    rows: list[LocalDependencyRow] = list(conn.execute(query))
    if plan.dependencies is not None:
        listed = set(plan.dependencies)
        rows = [row for row in rows if row.name in listed]
    return rows


def _elsewhere(conn: Connection, job: JobRow, plan: PlannedJob, scope: dict[str, str]) -> list[DependencyRow]:
    result = []
    for need in plan.cross_needs:
        if not need.artifacts:
            continue
        row = _in_tree(conn, job, need, scope) if need.pipeline is not None else _by_ref(conn, job, need, scope)
        if row is None and not need.optional:
            raise MissingDependency
        if row is not None:
            result.append(row)
    return result


def _in_tree(conn: Connection, job: JobRow, need: CrossNeed, scope: dict[str, str]) -> DependencyRow | None:
    """A job of another pipeline of the same tree: the parent, or a sibling."""
    pipeline_id = parse_id(expand(need.pipeline or "", scope))
    if pipeline_id is None:
        return None
    root = func.coalesce(pipelines.c.root_id, pipelines.c.id)
    own = select(root).where(pipelines.c.id == job.pipeline_id).scalar_subquery()
    return conn.execute(
        select(*_COLUMNS)
        .join_from(ci_jobs, pipelines, pipelines.c.id == ci_jobs.c.pipeline_id)
        .where(
            pipelines.c.id == pipeline_id,
            pipelines.c.project_id == job.project_id,
            root == own,
            ci_jobs.c.name == expand(need.job, scope),
            ci_jobs.c.is_retried.is_(False),
            ci_jobs.c.kind == "build",
        )
        .limit(1)
    ).one_or_none()


def _by_ref(conn: Connection, job: JobRow, need: CrossNeed, scope: dict[str, str]) -> DependencyRow | None:
    """A job of the latest successful pipeline of a ref, in a project that the job's person and token may read."""
    path = expand(need.project or "", scope)
    person, project = project_as(conn, job.user_id, path or job.project_id)
    if project is None or not may_read_builds(person, project):
        return None
    chosen = find_job_by_ref(conn, project.id, expand(need.ref or "", scope), expand(need.job, scope))
    if chosen is None:
        return None
    archive = find_archive(conn, chosen.id)
    # The runner downloads with the job's token, so what that token may not read is left out.
    token = replace(person, is_admin=False, token_kind="job", job_id=job.id, job_project_id=job.project_id)
    if archive is None or not may_read_artifacts(conn, token, project, archive.accessibility):
        return None
    return conn.execute(select(*_COLUMNS).where(ci_jobs.c.id == chosen.id)).one_or_none()


def as_sent(conn: Connection, rows: list[DependencyRow]) -> list[Dependency]:
    """As runners receive them: with the archive's name and size where there is one."""
    archives = {
        row.job_id: row
        for row in conn.execute(
            select(job_artifacts.c.job_id, job_artifacts.c.filename, job_artifacts.c.size).where(
                job_artifacts.c.job_id.in_([row.id for row in rows]), job_artifacts.c.file_type == "archive"
            )
        )
    }
    return [
        Dependency(
            id=row.id,
            name=row.name,
            filename=archives[row.id].filename if row.id in archives else None,
            size=archives[row.id].size if row.id in archives else 0,
        )
        for row in rows
    ]
