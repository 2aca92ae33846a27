"""Approving deployments to protected environments, and rejecting them."""

from ingot.access.call import Call
from ingot.features.ci import deployments as store
from ingot.features.ci.environments.approving import record_vote
from ingot.features.ci.environments.entities import DeploymentApproval, present_approval
from ingot.features.ci.environments.params import ApproveDeployment
from ingot.features.ci.environments.policy import APPROVE_DEPLOYMENT
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Deployments", tier="premium")


@routes.post(
    "/projects/{id}/deployments/{deployment_id}/approval",
    guard=APPROVE_DEPLOYMENT,
    params=ApproveDeployment,
    returns=DeploymentApproval,
)
def approve_deployment(call: Call[ApproveDeployment]) -> Answer:
    """Approve a deployment that waits for it, or reject it, which ends its job. Approved jobs are started by hand."""
    row = store.get_deployment(call.conn, call.project.id, call.params.deployment_id)
    with call.write() as tx:
        vote = record_vote(tx, call, row)
    return present_approval(call, vote)
