"""Finding pipelines and jobs: one filter, one step."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select

from ingot.access.tables import projects
from ingot.features.ci.pipelines.commands.moving import JOB_COLUMNS
from ingot.features.ci.pipelines.entities.pipeline import LISTED_COLUMNS, WHOLE_COLUMNS
from ingot.features.ci.pipelines.tables import jobs, pipelines
from ingot.identity.tables import users
from ingot.kit.clock import through
from ingot.kit.errors import RecordNotFound
from ingot.kit.pagination import Keyset

_SCOPES = {
    "running": pipelines.c.status == "running",
    "pending": pipelines.c.status == "pending",
    "finished": pipelines.c.status.in_(("success", "failed", "canceled")),
}


def _listed(*columns: Any) -> Select[Any]:
    return select(*columns).join_from(pipelines, projects, projects.c.id == pipelines.c.project_id)


def listed() -> Select[Any]:
    """Pipelines with what their list form needs."""
    return _listed(*LISTED_COLUMNS)


def pipelines_in(project: Any, wish: Any) -> Select[Any]:
    """The pipelines of a project with all filters."""
    found = _listed(*LISTED_COLUMNS).where(pipelines.c.project_id == project.id, *_conditions(project, wish))
    column = pipelines.c[wish.order_by]
    order = [column, pipelines.c.id] if wish.order_by != "id" else [column]
    return found.order_by(*(part.asc() if wish.sort == "asc" else part.desc() for part in order))


def _conditions(project: Any, wish: Any) -> list[ColumnElement[bool]]:
    c = pipelines.c
    found: list[ColumnElement[bool]] = []
    if wish.source is None:
        found.append(c.source != "parent_pipeline")
    else:
        found.append(c.source == wish.source)
    if wish.scope in _SCOPES:
        found.append(_SCOPES[wish.scope])
    elif wish.scope is not None:
        found.append(c.id.in_(_newest_of_each_ref(project.id, is_tag=wish.scope == "tags")))
    for name in ("status", "ref", "sha", "name"):
        value = getattr(wish, name)
        if value is not None:
            found.append(c[name] == value)
    if wish.yaml_errors is not None:
        found.append(c.yaml_errors.is_not(None) if wish.yaml_errors else c.yaml_errors.is_(None))
    if wish.username is not None:
        person = select(users.c.id).where(users.c.username_lower == wish.username.lower())
        found.append(c.user_id.in_(person))
    return found + _times(wish)


def _times(wish: Any) -> list[ColumnElement[bool]]:
    found = []
    for name in ("updated", "created"):
        column = pipelines.c[f"{name}_at"]
        after, before = getattr(wish, f"{name}_after"), getattr(wish, f"{name}_before")
        if after is not None:
            found.append(column >= after)
        if before is not None:
            found.append(column <= through(before))
    return found


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


def pipeline_keyset(wish: Any) -> Keyset:
    """Pipelines continue by id."""
    return Keyset(pipelines.c.id, wish.sort == "desc", available=wish.order_by == "id")


def find_pipeline(conn: Connection, project_id: int, pipeline_id: int) -> Any:
    """A whole pipeline of the project, or None."""
    return conn.execute(
        _listed(*WHOLE_COLUMNS).where(pipelines.c.project_id == project_id, pipelines.c.id == pipeline_id)
    ).one_or_none()


def get_pipeline(conn: Connection, project_id: int, pipeline_id: int) -> Any:
    """As `find_pipeline`, raising 404."""
    found = find_pipeline(conn, project_id, pipeline_id)
    if found is None:
        raise RecordNotFound
    return found


def latest_pipeline(conn: Connection, project_id: int, ref: str, sha: str) -> Any:
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


def whole_pipelines(conn: Connection, ids: list[int]) -> list[Any]:
    """Whole pipelines by id, of any project."""
    if not ids:
        return []
    return list(conn.execute(_listed(*WHOLE_COLUMNS).where(pipelines.c.id.in_(ids))))


def jobs_in(condition: ColumnElement[bool], wish: Any, kind: str = "build") -> Select[Any]:
    """Jobs of one kind with the filters of the lists."""
    found = select(*JOB_COLUMNS).where(condition, jobs.c.kind == kind)
    if wish.scope:
        found = found.where(jobs.c.status.in_(wish.scope))
    return found.order_by(jobs.c.id.asc() if wish.sort == "asc" else jobs.c.id.desc())


def job_keyset(wish: Any) -> Keyset:
    """Jobs continue by id."""
    return Keyset(jobs.c.id, wish.sort == "desc")


def get_job(conn: Connection, project_id: int, job_id: int, kinds: tuple[str, ...] = ("build",)) -> Any:
    """A job of the project by id; 404 for unknown ones and for other kinds."""
    found = conn.execute(
        select(*JOB_COLUMNS).where(jobs.c.project_id == project_id, jobs.c.id == job_id, jobs.c.kind.in_(kinds))
    ).one_or_none()
    if found is None:
        raise RecordNotFound
    return found
