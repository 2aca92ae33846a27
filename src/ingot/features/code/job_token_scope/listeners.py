"""The inbound allowlist, for every call that a job token makes on another project."""

from ingot.access.abilities import is_open_to
from ingot.access.call import Call
from ingot.access.job_tokens import limits_job_tokens
from ingot.access.levels import Feature
from ingot.access.subjects import Project
from ingot.features.code.job_token_scope.reach import require_reachable

# Checked by its own guard, after the tier.
_ARTIFACTS = "read_job_artifacts"
# spec: readable without being listed where everybody may read them
_OPEN = {"read_environment": "environments", "read_deployment": "environments"}


@limits_job_tokens
def require_listed(call: Call, project: Project) -> None:
    """The project allows the job's project, does not limit access, or shows the resource to everybody."""
    ability = call.endpoint.guard.ability
    feature = _OPEN.get(ability)
    if ability == _ARTIFACTS:
        return
    if feature is not None and is_open_to(call.actor, project) and project.feature(feature) >= Feature.ENABLED:
        return
    require_reachable(call.conn, call.actor, project)
