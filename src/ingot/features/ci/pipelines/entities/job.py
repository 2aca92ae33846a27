"""Jobs: builds with their artifacts and runner, and bridges with the pipeline they triggered."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, bindparam, select

from ingot.access.call import Call
from ingot.features.ci.engine import JobRow, read_commit
from ingot.features.ci.job_outputs import job_artifacts
from ingot.features.ci.pipelines.entities.commit import present_commit
from ingot.features.ci.pipelines.entities.job_user import JobUser, job_users
from ingot.features.ci.pipelines.entities.pipeline import PLACED_PIPELINES, PipelineBasic, pipeline_basic
from ingot.features.ci.pipelines.entities.runner import JobRunner, RunnerManager, runners_of_jobs
from ingot.features.ci.pipelines.rows import ArtifactRow
from ingot.features.code.repository import CommitBasic
from ingot.features.spaces.projects import project_settings
from ingot.kit.clock import now
from ingot.kit.entity import UNSET, Entity, UnsetType, by_key, group_by, wire, wire_or_none
from ingot.kit.statements import rows_by_id


class ArtifactFile(Entity):
    """The archive, while it exists and has not expired."""

    filename: str
    size: int


class Artifact(Entity):
    """One file of a job's artifacts."""

    file_type: str
    size: int
    filename: str
    file_format: str | None


class JobProject(Entity):
    """The project in a job's answer."""

    ci_job_token_scope_enabled: bool


class JobBasic(Entity):
    """What builds and bridges have in common."""

    id: int
    status: str
    stage: str
    name: str
    ref: str
    tag: bool
    coverage: float | None
    allow_failure: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    erased_at: datetime | None
    duration: float | None
    queued_duration: float | None
    user: JobUser | None
    commit: CommitBasic | None
    pipeline: PipelineBasic
    failure_reason: str | None
    web_url: str
    project: JobProject
    source: str


class Job(JobBasic, kw_only=True):
    """A build."""

    archived: bool
    artifacts_file: ArtifactFile | UnsetType = UNSET
    artifacts: list[Artifact]
    runner: JobRunner | None
    runner_manager: RunnerManager | None
    artifacts_expire_at: datetime | None
    tag_list: list[str]
    download_url: None = None


class Bridge(JobBasic):
    """A job that triggers a pipeline."""

    downstream_pipeline: PipelineBasic | None


def present_jobs(call: Call, rows: Sequence[JobRow]) -> list[Job]:
    """Builds; related records are loaded once per page."""
    conn = call.conn
    context = _Context(conn, rows, call.base_url)
    ids = [row.id for row in rows]
    artifacts = group_by(_artifacts(conn, ids), lambda row: row.job_id)
    runners, machines = runners_of_jobs(conn, rows)
    return [
        Job(
            **context.fields(row),
            archived=row.is_archived,
            artifacts_file=_archive(artifacts.get(row.id, [])),
            artifacts=[_artifact(one) for one in artifacts.get(row.id, [])],
            runner=runners.get(row.runner_id or 0),
            runner_manager=machines.get(row.runner_manager_id or 0),
            artifacts_expire_at=wire_or_none(row.artifacts_expire_at),
            tag_list=row.tag_list,
        )
        for row in rows
    ]


def present_bridges(call: Call, rows: Sequence[JobRow]) -> list[Bridge]:
    """Bridges, with the pipelines that they triggered."""
    context = _Context(call.conn, rows, call.base_url)
    below = _pipelines(call.conn, {row.downstream_id for row in rows if row.downstream_id is not None})
    return [
        Bridge(
            **context.fields(row),
            downstream_pipeline=(
                pipeline_basic(below[row.downstream_id], call.base_url) if row.downstream_id in below else None
            ),
        )
        for row in rows
    ]


class _Context:
    """Users, pipelines and projects of a page of jobs."""

    def __init__(self, conn: Connection, rows: Sequence[JobRow], base_url: str) -> None:
        self._base_url = base_url
        self._people = job_users(conn, {row.user_id for row in rows}, base_url)
        self._pipelines = _pipelines(conn, {row.pipeline_id for row in rows})

    def fields(self, row: JobRow) -> dict[str, Any]:
        """The fields that all kinds of jobs have."""
        pipeline = self._pipelines[row.pipeline_id]
        url = f"{self._base_url}/{pipeline.project_path}"
        return {
            "id": row.id,
            "status": row.status,
            "stage": row.stage,
            "name": row.name,
            "ref": row.ref,
            "tag": row.is_tag,
            "coverage": row.coverage,
            "allow_failure": row.allow_failure,
            "created_at": wire(row.created_at),
            "started_at": wire_or_none(row.started_at),
            "finished_at": wire_or_none(row.finished_at),
            "erased_at": wire_or_none(row.erased_at),
            "duration": _duration(row),
            "queued_duration": _queued(row),
            "user": self._people.get(row.user_id or 0),
            "commit": present_commit(read_commit(pipeline.commit), url),
            "pipeline": pipeline_basic(pipeline, self._base_url),
            "failure_reason": row.failure_reason if row.status == "failed" else None,
            "web_url": f"{url}/-/jobs/{row.id}",
            "project": JobProject(ci_job_token_scope_enabled=project_settings(pipeline).ci_job_token_scope_enabled),
            "source": pipeline.source,
        }


def _duration(row: JobRow) -> float | None:
    if row.started_at is None:
        return None
    return float(round(((row.finished_at or now()) - row.started_at).total_seconds(), 6))


def _queued(row: JobRow) -> float | None:
    if row.queued_at is None:
        return None
    until = row.started_at or row.finished_at or now()
    return float(round(max(0.0, (until - row.queued_at).total_seconds()), 6))


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_ARTIFACTS = select(job_artifacts).where(job_artifacts.c.job_id.in_(_IDS)).order_by(job_artifacts.c.id)


def _pipelines(conn: Connection, ids: set[int]) -> dict[int, Row[*tuple[Any, ...]]]:
    if not ids:
        return {}
    return by_key(rows_by_id(conn, PLACED_PIPELINES, ids), lambda row: row.id)


def _artifacts(conn: Connection, ids: Sequence[int]) -> Sequence[ArtifactRow]:
    if not ids:
        return []
    return conn.execute(_ARTIFACTS, {"ids": ids}).all()


def _archive(artifacts: Sequence[ArtifactRow]) -> ArtifactFile | UnsetType:
    for row in artifacts:
        if row.file_type == "archive" and (row.expire_at is None or row.expire_at > now()):
            return ArtifactFile(filename=row.filename, size=row.size)
    return UNSET


def _artifact(row: ArtifactRow) -> Artifact:
    return Artifact(file_type=row.file_type, size=row.size, filename=row.filename, file_format=row.file_format)
