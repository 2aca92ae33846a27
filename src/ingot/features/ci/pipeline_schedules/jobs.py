"""Starts due pipeline schedules."""

from datetime import datetime

from ingot.features.ci.pipeline_schedules import commands
from ingot.kit.clock import now
from ingot.kit.jobs import Run, enqueue, job, periodic


@periodic("pipeline_schedules.tick", every=30)
def tick(run: Run) -> None:
    """Start the due schedules."""
    moment = now()
    with run.db.write() as tx:
        for schedule_id, owner_id in commands.claim_due(tx, moment):
            args = {"schedule_id": schedule_id, "user_id": owner_id, "since": moment.isoformat()}
            enqueue(tx, "pipeline_schedules.run", args=args)


@job("pipeline_schedules.run")
def run_schedule(run: Run, schedule_id: int, user_id: int | None, since: str) -> None:
    """Start the pipeline of one schedule, unless an earlier attempt at this work has."""
    if run.is_first_attempt or not commands.has_run_since(run.services, schedule_id, datetime.fromisoformat(since)):
        commands.run(run.services, schedule_id, user_id)
