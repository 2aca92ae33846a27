"""Background work on artifacts: the expiry of a whole project, and the regular cleanup."""

from ingot.features.ci.job_artifacts import commands
from ingot.kit.jobs import Run, job, periodic


@job("job_artifacts.expire_project")
def expire_project(run: Run, project_id: int) -> None:
    """Let all deletable artifacts of a project expire."""
    with run.db.write() as tx:
        commands.expire_of_project(tx, project_id)


@periodic("job_artifacts.cleanup", every=7 * 60)
def cleanup(run: Run) -> None:
    """Delete artifacts that have expired and are not locked."""
    commands.remove_expired(run)
