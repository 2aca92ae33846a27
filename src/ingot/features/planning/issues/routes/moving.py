"""Moving and cloning issues to another project."""

from ingot.access.call import Call
from ingot.access.subjects import Project, find_project
from ingot.features.planning.issues import lookup, moving, policy, queries
from ingot.features.planning.issues.entities import Issue
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import present_single
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure, NotFound
from ingot.kit.params import Param

routes = Routes("Issues", guard=policy.FIND_ISSUE)
PATH = "/projects/{id}/issues/{issue_iid}"


class MoveIssue(OneIssue):
    """Target."""

    to_project_id: int = Param("Id of the new project.", required=True)


class CloneIssue(MoveIssue):
    """Target project and options."""

    with_notes: bool = Param("Copy the comments too.", default=False)


def _target(call: Call[MoveIssue]) -> Project:
    project = find_project(call.conn, call.actor, call.params.to_project_id)
    if project is None:
        raise NotFound("Project")
    return project


@routes.post(f"{PATH}/move", params=MoveIssue, returns=Issue)
def move_issue(call: Call[MoveIssue]) -> Answer:
    """Move an issue to another project: it is copied with its comments, and closed here."""
    row, project = lookup.find_issue(call), _target(call)
    if row.moved_to_id is not None or project.id == call.project.id:
        raise Failure(400, "Cannot move issue to project it originates from!")
    if not policy.may_admin(call.actor, call.project) or not policy.may_admin(call.actor, project):
        raise Failure(400, "Cannot move issue due to insufficient permissions!")
    with call.write() as tx:
        created = moving.move(tx, call.actor, row, call.project, project)
    call.project = project
    return present_single(call, queries.get_by_id(call.conn, created))


@routes.post(f"{PATH}/clone", params=CloneIssue, returns=Issue)
def clone_issue(call: Call[CloneIssue]) -> Answer:
    """Copy an issue to this or another project (who may plan both)."""
    row, project = lookup.find_issue(call), _target(call)
    # Callers who are not planners here must not copy internal comments either.
    if not policy.may_admin(call.actor, call.project) or not policy.may_admin(call.actor, project):
        raise Failure(400, "Cannot clone issue due to insufficient permissions!")
    with call.write() as tx:
        created = moving.clone(tx, call.actor, row, call.project, project, with_notes=call.params.with_notes)
    call.project = project
    return present_single(call, queries.get_by_id(call.conn, created))
