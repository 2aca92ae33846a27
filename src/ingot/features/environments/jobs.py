"""Background work of environments."""

from ingot.features.environments.linking import link_merge_requests
from ingot.features.environments.stopping import stop_due
from ingot.kit.jobs import Run, job, periodic


@job("environments.link_merge_requests")
def link(run: Run, deployment_id: int) -> None:
    """Find the merge requests that came with a deployment."""
    link_merge_requests(run.services, deployment_id)


@periodic("environments.stop_due", every=60)
def stop_due_environments(run: Run) -> None:
    """Stop the environments whose time is up."""
    stop_due(run.services)
