"""Endpoints of commit statuses."""

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import DEVELOPER, REPORTER
from ingot.features.ci.commit_statuses import commands, queries
from ingot.features.ci.commit_statuses.entities import CommitStatus, present
from ingot.features.ci.commit_statuses.params import ListStatuses, SetStatus
from ingot.features.ci.commit_statuses.requested import get_commit_id, requested_status
from ingot.features.ci.engine import READ_PIPELINES
from ingot.features.spaces.projects import repository_of
from ingot.kit.endpoint import Answer, Routes

READ_STATUSES = ProjectAbility(ability="read_commit_status", level=REPORTER, feature="builds", outsiders=True)
CREATE_STATUS = ProjectAbility(
    ability="create_commit_status", level=DEVELOPER, feature="builds", writes=True, needs_user=True
)

routes = Routes("Commit statuses")


@routes.get(
    "/projects/{id}/repository/commits/{sha}/statuses",
    guard=READ_STATUSES,
    params=ListStatuses,
    returns=list[CommitStatus],
    waits=True,
)
def list_commit_statuses(call: Call[ListStatuses]) -> Answer:
    """Statuses of a commit, from the project's own jobs and from other CI systems."""
    READ_PIPELINES.require(call.actor, call.project)
    sha = get_commit_id(call, repository_of(call.services, call.project))
    return call.page(queries.statuses_of(call.project.id, sha, call.params), present)


@routes.post(
    "/projects/{id}/statuses/{sha}",
    guard=CREATE_STATUS,
    params=SetStatus,
    returns=CommitStatus,
    errors=(409, 422),
)
def set_commit_status(call: Call[SetStatus]) -> Answer:
    """Report the status of a commit; a pipeline is created for it where there is none."""
    options = requested_status(call)
    with call.write() as tx:
        created = commands.set_status(tx, call.services, call.actor, call.project, options)
    return present(call, [queries.get_status(call.conn, created)])[0]
