"""Background work of environments."""

from datetime import datetime

from ingot.features.ci.environments.cleaning import delete_due, stop_stale
from ingot.features.ci.environments.linking import link_merge_requests
from ingot.features.ci.environments.stopping import stop_due, stop_of_ref
from ingot.kit.jobs import Run, job, periodic


@job("environments.link_merge_requests")
def link(run: Run, deployment_id: int) -> None:
    """Find the merge requests that came with a deployment."""
    link_merge_requests(run.services, deployment_id)


@periodic("environments.stop_due", every=60)
def stop_due_environments(run: Run) -> None:
    """Stop the environments whose time is up."""
    stop_due(run.services)


@job("environments.stop_stale")
def stop_stale_environments(run: Run, project_id: int, before: str, user_id: int) -> None:
    """Stop what nobody has used since."""
    stop_stale(run.services, project_id, datetime.fromisoformat(before), user_id)


@periodic("environments.delete_due", every=3600)
def delete_due_environments(run: Run) -> None:
    """Delete the stopped review apps whose time has come."""
    with run.db.write() as tx:
        delete_due(tx)


@job("environments.stop_of_ref")
def stop_environments_of_ref(run: Run, project_id: int, ref: str, user_id: int) -> None:
    """Run the stop jobs of what a branch or merge request deployed last."""
    stop_of_ref(run.services, project_id, ref, user_id)
