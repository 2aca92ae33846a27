"""Starting jobs manually: manual jobs, also again, and delayed jobs before their time."""

from typing import Any

import msgspec
from sqlalchemy import Connection

from ingot.features.ci.engine.commands import moving, progress
from ingot.features.ci.engine.commands.retry import clone, is_retryable, reopen_skipped
from ingot.features.ci.engine.errors import Unplayable
from ingot.features.ci.engine.rows import JobRow
from ingot.features.ci.variables import GivenVariable
from ingot.kit.actor import Actor
from ingot.kit.sealing import seal
from ingot.kit.services import Services


def is_playable(job: JobRow) -> bool:
    """It waits for a manual start, or did and may be run again."""
    return job.status in ("manual", "scheduled") or (job.when in ("manual", "delayed") and is_retryable(job))


def play_job(tx: Connection, services: Services, job: JobRow, actor: Actor, given: list[GivenVariable]) -> int:
    """Start the job for this user, with variables for this run; returns the id of the started job."""
    moving.lock_pipeline(tx, job.pipeline_id)
    job = moving.get_job(tx, job.id)
    if not is_playable(job):
        raise Unplayable
    values: dict[str, Any] = {"user_id": actor.user_id}
    if given:
        values["own_variables"] = seal(services, msgspec.json.encode(given).decode())
    if job.status in ("manual", "scheduled"):
        started = job.id
        moving.start(tx, job, scheduled_at=None, **values)
    else:
        started = clone(tx, services, job, **values)
        moving.start(tx, moving.get_job(tx, started))
    reopen_skipped(tx, job, actor.user_id)
    progress.advance(tx, services, job.pipeline_id)
    return int(started)


def start_delayed(tx: Connection, services: Services, job_id: int) -> None:
    """Start a delayed job whose time has come, unless somebody was faster."""
    job = moving.get_job(tx, job_id)
    moving.lock_pipeline(tx, job.pipeline_id)
    job = moving.get_job(tx, job_id)
    if job.status == "scheduled":
        moving.start(tx, job, scheduled_at=None)
        progress.advance(tx, services, job.pipeline_id)
