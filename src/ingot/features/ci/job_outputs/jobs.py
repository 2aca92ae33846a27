"""Background work on outputs of jobs."""

from ingot.features.ci.engine import fenced
from ingot.features.ci.job_outputs import retention
from ingot.kit.jobs import Run, job, periodic


@job("pipelines.delete_objects")
def delete_stored_objects(run: Run, keys: list[str]) -> None:
    """Delete logs and artifacts whose rows are gone."""
    for key in keys:
        run.check()
        run.services.blobs.delete(key)


@periodic("pipelines.retention", every=3600)
def delete_old(run: Run) -> None:
    """Delete pipelines that their project does not want to keep any longer."""
    retention.delete_old_pipelines(fenced(run))
