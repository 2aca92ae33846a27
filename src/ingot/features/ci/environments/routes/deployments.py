"""Endpoints of deployments."""

from sqlalchemy import delete, select

from ingot.access.call import Call
from ingot.features.ci import deployments as store
from ingot.features.ci.deployments import DeploymentRow, deployment_merge_requests, deployments
from ingot.features.ci.environments import queries
from ingot.features.ci.environments.entities import Deployment, present_deployment, present_deployments
from ingot.features.ci.environments.params import (
    CreateDeployment,
    DeploymentMergeRequests,
    DeploymentPath,
    ListDeployments,
    UpdateDeployment,
)
from ingot.features.ci.environments.policy import CREATE_DEPLOYMENT, DELETE_DEPLOYMENT, READ_DEPLOYMENTS
from ingot.features.ci.environments.recording import change_status, record_deployment
from ingot.features.ci.protected_environments import may_deploy
from ingot.features.review.merge_requests import MergeRequestBasic, merge_requests, present_embedded, with_project
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import revisions
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.environment_names import problem_of
from ingot.kit.errors import BadRequest, Forbidden, Invalid, NotFound

routes = Routes("Deployments", job_token=True)
_ALL = "/projects/{id}/deployments"
_ONE = _ALL + "/{deployment_id}"


def _find(call: Call[DeploymentPath]) -> DeploymentRow:
    return store.get_deployment(call.conn, call.project.id, call.params.deployment_id)


def _shown(call: Call, deployment_id: int) -> Deployment:
    return present_deployments(call, [store.get_deployment(call.conn, call.project.id, deployment_id)])[0]


def _require_right(call: Call, environment: str) -> None:
    if not may_deploy(call.conn, call.project.id, environment, call.actor.user_id):
        raise Forbidden


@routes.get(_ALL, guard=READ_DEPLOYMENTS, params=ListDeployments, returns=list[Deployment])
def list_deployments(call: Call[ListDeployments]) -> Answer:
    """Deployments of a project."""
    options = call.params
    by_end = options.finished_after is not None or options.finished_before is not None
    if by_end and (options.order_by != "finished_at" or options.status != "success"):
        raise BadRequest("`finished_at` filter must be combined with `finished_at` sort and `success` status.")
    return call.page(queries.deployments_in(call.project.id, options), present_deployments)


@routes.get(_ONE, guard=READ_DEPLOYMENTS, params=DeploymentPath, returns=Deployment)
def get_deployment(call: Call[DeploymentPath]) -> Answer:
    """One deployment."""
    return present_deployment(call, _find(call))


@routes.post(_ALL, guard=CREATE_DEPLOYMENT, params=CreateDeployment, returns=Deployment)
def create_deployment(call: Call[CreateDeployment]) -> Answer:
    """Record a deployment by an external tool."""
    options = call.params
    sha = revisions.find(repository_of(call.services, call.project), options.sha)
    if sha is None:
        raise NotFound("Commit")
    if (problem := problem_of(options.environment)) is not None:
        raise Invalid({"name": [problem]})
    _require_right(call, options.environment)
    with call.write() as tx:
        created = record_deployment(tx, call.project.id, call.actor.user_id, sha, options)
    return _shown(call, created)


@routes.put(_ONE, guard=CREATE_DEPLOYMENT, params=UpdateDeployment, returns=Deployment)
def update_deployment(call: Call[UpdateDeployment]) -> Answer:
    """Change the status of a deployment by an external tool."""
    row, status = _find(call), call.params.status
    if row.job_id is not None:
        raise Forbidden
    _require_right(call, store.get_environment(call.conn, call.project.id, row.environment_id).name)
    if status == row.status or (row.status in ("success", "failed", "canceled") and status == "running"):
        raise Invalid({"status": [f'cannot transition via "{status}"']})
    with call.write() as tx:
        change_status(tx, row.id, status)
    return _shown(call, row.id)


@routes.delete(_ONE, guard=DELETE_DEPLOYMENT, params=DeploymentPath)
def delete_deployment(call: Call[DeploymentPath]) -> None:
    """Delete the record of a deployment that is neither running nor the current one."""
    row = _find(call)
    call.require_unmodified(row.updated_at)
    last = store.last_successful(call.conn, row.environment_id)
    if row.status == "running":
        raise BadRequest("Cannot destroy running deployment")
    if last is not None and last.id == row.id:
        raise BadRequest("Deployment currently deployed to environment")
    with call.write() as tx:
        tx.execute(delete(deployments).where(deployments.c.id == row.id))


@routes.get(
    _ONE + "/merge_requests", guard=READ_DEPLOYMENTS, params=DeploymentMergeRequests, returns=list[MergeRequestBasic]
)
def list_merge_requests_of_deployment(call: Call[DeploymentMergeRequests]) -> Answer:
    """Merge requests that came with a deployment."""
    linked = select(deployment_merge_requests.c.merge_request_id).where(
        deployment_merge_requests.c.deployment_id == _find(call).id
    )
    return call.page(
        with_project().where(merge_requests.c.id.in_(linked)).order_by(merge_requests.c.id.desc()), present_embedded
    )
