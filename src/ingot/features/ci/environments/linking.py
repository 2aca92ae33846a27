"""Which merge requests a deployment includes: those merged since the last one to the environment."""

from typing import Any

from sqlalchemy import Connection, insert, select

from ingot.access.tables import projects
from ingot.features.ci.deployments import DeploymentRow, deployment_merge_requests, deployments, last_successful
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import revisions
from ingot.gitstore.log import LogQuery, commit_ids
from ingot.kit.services import Services


def link_merge_requests(services: Services, deployment_id: int) -> int:
    """Link a successful deployment with its merge requests; returns how many are new. Safe to repeat."""
    with services.db.read() as conn:
        deployment = conn.execute(select(deployments).where(deployments.c.id == deployment_id)).one_or_none()
        if deployment is None or deployment.status != "success":
            return 0
        project = conn.execute(select(projects).where(projects.c.id == deployment.project_id)).one()
        earlier = last_successful(conn, deployment.environment_id, deployment_id)
        candidates = _candidates(conn, deployment)
    if not candidates:
        return 0
    repository = repository_of(services, project)
    exclude = []
    if earlier is not None and revisions.has_object(repository, earlier.sha):
        exclude.append(earlier.sha)
    if not revisions.has_object(repository, deployment.sha):
        return 0
    reached = set(commit_ids(repository, LogQuery(include=(deployment.sha,), exclude=tuple(exclude))))
    result = [row.id for row in candidates if reached & {row.merge_commit_sha, row.squash_commit_sha, row.head_sha}]
    if result:
        with services.db.write() as tx:
            tx.execute(
                insert(deployment_merge_requests),
                [{"deployment_id": deployment_id, "merge_request_id": one} for one in result],
            )
    return len(result)


def _candidates(conn: Connection, deployment: DeploymentRow) -> list[Any]:
    """Merged requests of the project that no deployment to this environment included yet."""
    from ingot.features.review.merge_requests import merge_requests

    deployed = (
        select(deployment_merge_requests.c.merge_request_id)
        .join_from(
            deployment_merge_requests, deployments, deployments.c.id == deployment_merge_requests.c.deployment_id
        )
        .where(deployments.c.environment_id == deployment.environment_id)
    )
    return list(
        conn.execute(
            select(
                merge_requests.c.id,
                merge_requests.c.merge_commit_sha,
                merge_requests.c.squash_commit_sha,
                merge_requests.c.head_sha,
            ).where(
                merge_requests.c.project_id == deployment.project_id,
                merge_requests.c.state == "merged",
                merge_requests.c.id.not_in(deployed),
            )
        )
    )
