"""Background work of pipelines: bridges, delays, resources, cancellation and timeouts."""

from sqlalchemy import select

from ingot.features.ci.engine.commands import bridges, moving, progress, resources, sweeping
from ingot.features.ci.engine.commands.cancel import cancel_pipeline, redundant_pipelines
from ingot.features.ci.engine.commands.play import start_delayed
from ingot.features.ci.engine.fencing import fenced
from ingot.features.ci.engine.pinned_refs import unpin
from ingot.features.ci.engine.tables import pipelines
from ingot.gitstore import GitError
from ingot.kit.jobs import Run, Transient, job, periodic
from ingot.kit.jobs.registry import exponential


@job("pipelines.start_bridge")
def start_bridge(run: Run, job_id: int) -> None:
    """Trigger the pipeline of a bridge."""
    bridges.start_bridge(fenced(run), job_id)


@job("pipelines.follow_downstream")
def follow_downstream(run: Run, pipeline_id: int) -> None:
    """Hand a pipeline's result to the bridges that wait for it."""
    bridges.follow_downstream(fenced(run), pipeline_id)


@job("pipelines.start_delayed")
def start_delayed_job(run: Run, job_id: int) -> None:
    """Start a delayed job whose time has come."""
    with run.db.write() as tx:
        if moving.exists(tx, job_id):
            start_delayed(tx, run.services, job_id)


@job("pipelines.assign_resource")
def assign_resource(run: Run, group_id: int) -> None:
    """Give a free resource to the next job in line."""
    with run.db.read() as conn:
        waiting = resources.next_in_line(conn, group_id)
    if waiting is None:
        return
    with run.db.write() as tx:
        moving.lock_pipeline(tx, waiting.pipeline_id)
        candidate = moving.get_job(tx, waiting.id)
        if candidate.status == "waiting_for_resource" and resources.acquire(tx, candidate):
            moving.start(tx, candidate)
            progress.advance(tx, run.services, waiting.pipeline_id)


@job("pipelines.cancel")
def cancel_child(run: Run, pipeline_id: int) -> None:
    """Cancel a child pipeline after its parent."""
    with run.db.write() as tx:
        if tx.execute(select(pipelines.c.id).where(pipelines.c.id == pipeline_id)).first() is not None:
            cancel_pipeline(tx, run.services, pipeline_id)


@job("pipelines.cancel_redundant")
def cancel_redundant(run: Run, pipeline_id: int) -> None:
    """Cancel older pipelines of the ref that a new commit made redundant."""
    with run.db.read() as conn:
        newest = conn.execute(select(pipelines).where(pipelines.c.id == pipeline_id)).one_or_none()
        if newest is None:
            return
        overtaken = redundant_pipelines(conn, newest)
    for pipeline in overtaken:
        with run.db.write() as tx:
            # Seen again: a job of it may have started meanwhile, and then it runs to its end.
            if pipeline in redundant_pipelines(tx, newest):
                cancel_pipeline(tx, run.services, pipeline[0], only_interruptible=pipeline[1])


@periodic("pipelines.sweep", every=60)
def sweep(run: Run) -> None:
    """End jobs that never finish: timed out, silent, stuck in the queue, or past their start time."""
    sweeping.sweep(fenced(run))


# Nobody waits for it, and nothing else removes the ref: it is tried for a day.
@job("pipelines.unpin", retries=32, backoff=exponential(limit=3600.0))
def unpin_pipeline(run: Run, project_id: int, pipeline_id: int) -> None:
    """Remove the ref of a pipeline that has ended."""
    try:
        unpin(run.services, project_id, pipeline_id)
    except GitError as error:
        # A killed git leaves its lock on the refs, which counts as its own for two minutes.
        raise Transient(str(error)) from error
