"""The clock of pipeline schedules."""

from ingot.features.pipeline_schedules import commands
from ingot.kit.clock import now
from ingot.kit.jobs import Run, enqueue, job, periodic


@periodic("pipeline_schedules.tick", every=30)
def tick(run: Run) -> None:
    """Start the schedules whose time has come."""
    with run.db.write() as tx:
        for schedule_id, owner_id in commands.claim_due(tx, now()):
            enqueue(tx, "pipeline_schedules.run", args={"schedule_id": schedule_id, "user_id": owner_id})


@job("pipeline_schedules.run")
def run_schedule(run: Run, schedule_id: int, user_id: int | None) -> None:
    """Start the pipeline of one schedule."""
    run.step("create", lambda: commands.run(run.services, schedule_id, user_id))
