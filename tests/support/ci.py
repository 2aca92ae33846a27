"""A stand-in for runners: takes jobs and ends them through the same commands that the runner protocol uses."""

from typing import Any

from sqlalchemy import update

from ingot.features.ci.engine.commands.finish import finish_job
from ingot.features.ci.engine.commands.moving import get_job, lock_pipeline, move
from ingot.features.ci.engine.commands.progress import advance
from ingot.features.ci.engine.job_tokens import fresh_job_token
from ingot.features.ci.engine.tables import ci_jobs
from ingot.features.ci.job_outputs.traces import append_trace
from ingot.identity.tokens import digest
from tests.support.world import World


def take(world: World, job_id: int) -> str:
    """Start a pending job as a runner would; returns its token."""
    services = world.server.services
    token = fresh_job_token()
    with services.db.write() as tx:
        job = get_job(tx, job_id)
        assert job.status == "pending", job.status
        lock_pipeline(tx, job.pipeline_id)
        move(tx, job, "running", token_digest=digest(token))
        advance(tx, services, job.pipeline_id)
    return token


def finish(world: World, job_id: int, status: str = "success", **more: Any) -> None:
    """End a running job."""
    with world.server.services.db.write() as tx:
        finish_job(tx, world.server.services, job_id, status, **more)


def end(world: World, job_id: int, status: str = "success", **more: Any) -> None:
    """End a running job, and do the background work that follows."""
    finish(world, job_id, status, **more)
    world.run_jobs()


def run(world: World, job_id: int, status: str = "success", **more: Any) -> None:
    """Take and end a job."""
    take(world, job_id)
    end(world, job_id, status, **more)


def write_log(world: World, job_id: int, text: str) -> None:
    """Give a job a log."""
    with world.server.services.db.write() as tx:
        append_trace(tx, job_id, 0, text.encode())


def set_columns(world: World, job_id: int, **values: Any) -> None:
    """Change a job's row behind everybody's back."""
    with world.server.services.db.write() as tx:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == job_id).values(**values))
