"""Deployments that an external tool reports."""

from sqlalchemy import Connection

from ingot.features.ci import deployments
from ingot.features.ci.environments.params import CreateDeployment
from ingot.kit.jobs import enqueue

# Characters of a name.
LONGEST = 255


def record_deployment(tx: Connection, project_id: int, user_id: int | None, sha: str, options: CreateDeployment) -> int:
    """Record it, and its environment where that is new; returns its id."""
    created = deployments.open_deployment(
        tx,
        project_id=project_id,
        environment_id=deployments.ensure_environment(tx, project_id, options.environment),
        user_id=user_id,
        ref=options.ref[:LONGEST],
        is_tag=options.tag,
        sha=sha,
        status=options.status,
    )
    _link_merge_requests(tx, created, options.status)
    return created


def change_status(tx: Connection, deployment_id: int, status: str) -> None:
    """Change the status of a deployment."""
    deployments.set_deployment_status(tx, deployment_id, status)
    _link_merge_requests(tx, deployment_id, status)


def _link_merge_requests(tx: Connection, deployment_id: int, status: str) -> None:
    """Merge requests are linked to successful deployments, in the background."""
    if status == "success":
        key = f"link-merge-requests-{deployment_id}"
        enqueue(tx, "environments.link_merge_requests", args={"deployment_id": deployment_id}, key=key)
