"""A ref for each running pipeline: its commit can be fetched with any depth, even if its branch is gone."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection, exists, or_, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.ci.engine.rows import PipelineRow
from ingot.features.ci.engine.states import COMPLETED
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.features.spaces.projects import looks_at_repositories, repository_of
from ingot.gitstore import GitError, refs
from ingot.gitstore.listing import list_refs
from ingot.gitstore.names import BRANCHES, PIPELINES, TAGS
from ingot.kit.clock import now
from ingot.kit.jobs import enqueue
from ingot.kit.services import Services

# Runners of jobs that were just handed out may still be fetching.
_REST = timedelta(minutes=10)
# By then the job that removes the ref has done so or given up.
_LEFT_OVER = timedelta(days=2)


def pin(services: Services, project: ProjectRow, pipeline: PipelineRow) -> str | None:
    """The pipeline's ref, created if it is missing; None where the commit itself is gone."""
    repository, ref = repository_of(services, project), f"{PIPELINES}{pipeline.id}"
    # An imported archive may have contained a ref of this name: the commit counts.
    if refs.find_ref(repository, ref) == pipeline.sha:
        return ref
    try:
        refs.update(repository, [refs.RefUpdate(ref, pipeline.sha)])
    except GitError:
        # Another runner's request may have been faster.
        return ref if refs.find_ref(repository, ref) == pipeline.sha else None
    return ref


def has_own_ref(services: Services, project: ProjectRow, pipeline: PipelineRow) -> bool:
    """The branch, tag or merge request that the pipeline was made for still exists."""
    name = pipeline.ref
    if not name.startswith("refs/"):
        name = f"{TAGS if pipeline.is_tag else BRANCHES}{name}"
    return refs.find_ref(repository_of(services, project), name) is not None


def unpin_later(tx: Connection, project_id: int, pipeline_id: int) -> None:
    """Remove the ref later: the pipeline has ended or is deleted."""
    args = {"project_id": project_id, "pipeline_id": pipeline_id}
    # One that runs now may have read that the pipeline was running again.
    enqueue(tx, "pipelines.unpin", args=args, key=f"unpin-{pipeline_id}", run_after=now() + _REST, rerun=True)


def unpin_if_run(tx: Connection, pipeline: PipelineRow) -> None:
    """Remove the ref later, in the transaction that ends the pipeline; one without runners has none."""
    ran = exists().where(ci_jobs.c.pipeline_id == pipeline.id, ci_jobs.c.runner_id.is_not(None))
    if tx.execute(select(ran)).scalar_one():
        unpin_later(tx, pipeline.project_id, pipeline.id)


def unpin(services: Services, project_id: int, pipeline_id: int) -> None:
    """Remove the ref, unless the pipeline runs again. Safe to repeat."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
        status = conn.execute(select(pipelines.c.status).where(pipelines.c.id == pipeline_id)).scalar_one_or_none()
    if project is None or (status is not None and status not in COMPLETED):
        return
    repository, ref = repository_of(services, project), f"{PIPELINES}{pipeline_id}"
    if repository.exists() and refs.find_ref(repository, ref) is not None:
        refs.update(repository, [refs.RefUpdate(ref, None)])


@looks_at_repositories
def unpin_left_over(services: Services, project: ProjectRow) -> None:
    """Remove the refs of pipelines that ended long ago, are gone, or never were this project's (from an archive)."""
    if project.import_status in ("scheduled", "started"):
        return
    repository = repository_of(services, project)
    pinned = list_refs(repository, PIPELINES) if repository.exists() else {}
    # Read after the refs: whatever was pinned before that is among these.
    left_over = pinned.keys() - {f"{PIPELINES}{one.id}" for one in _in_use(services, project.id)} if pinned else set()
    if not left_over:
        return
    refs.update(repository, [refs.RefUpdate(ref, None, pinned[ref]) for ref in left_over])
    for pipeline in _in_use(services, project.id):
        # It was retried, and its ref handed out, while the refs were being removed.
        if f"{PIPELINES}{pipeline.id}" in left_over:
            pin(services, project, pipeline)


def _in_use(services: Services, project_id: int) -> Sequence[PipelineRow]:
    """The project's pipelines that run, or ran lately."""
    lately = pipelines.c.updated_at > now() - _LEFT_OVER
    theirs = select(pipelines).where(pipelines.c.project_id == project_id)
    with services.db.read() as conn:
        return conn.execute(theirs.where(or_(pipelines.c.status.not_in(COMPLETED), lately))).all()
