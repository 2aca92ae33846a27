"""Endpoints of deploy keys."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ADMIN_PROJECT, ADMINISTRATOR, SIGNED_IN
from ingot.features.spaces.deploy_keys import commands, queries
from ingot.features.spaces.deploy_keys.entities import (
    DeployKey,
    InstanceDeployKey,
    ProjectDeployKey,
    deploy_key,
    present,
    present_in_project,
    present_with_projects,
)
from ingot.features.spaces.deploy_keys.params import (
    CreateInstanceKey,
    CreateProjectKey,
    KeyPath,
    ListInstanceKeys,
    UpdateProjectKey,
)
from ingot.features.spaces.deploy_keys.rows import ProjectKeyRow
from ingot.features.spaces.deploy_keys.tables import deploy_keys
from ingot.identity.authentication import user_by_name_or_id
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, NotFound, RecordNotFound
from ingot.kit.params import CursorPaging

routes = Routes("Deploy keys")
_ALL = "/projects/{id}/deploy_keys"
_ONE = _ALL + "/{key_id}"


def _find(call: Call[KeyPath]) -> ProjectKeyRow:
    row = queries.find_in_project(call.conn, call.project.id, call.params.key_id)
    if row is None:
        raise RecordNotFound
    return row


@routes.get("/deploy_keys", guard=ADMINISTRATOR, params=ListInstanceKeys, returns=list[InstanceDeployKey])
def list_deploy_keys(call: Call[ListInstanceKeys]) -> Answer:
    """All deploy keys of the instance, with their projects (administrators)."""
    return call.page(queries.in_instance(public=call.params.public), present_with_projects, keyset=queries.OLDEST_FIRST)


@routes.post("/deploy_keys", guard=ADMINISTRATOR, params=CreateInstanceKey, returns=DeployKey)
def create_deploy_key(call: Call[CreateInstanceKey]) -> Answer:
    """Add a key that every project may use (administrators)."""
    with call.write() as tx:
        return deploy_key(commands.create_public(tx, call.actor, call.params))


@routes.get("/users/{user_id}/project_deploy_keys", guard=SIGNED_IN, params=CursorPaging, returns=list[DeployKey])
def list_user_deploy_keys(call: Call[CursorPaging]) -> Answer:
    """Deploy keys of the projects that a user and the caller both maintain."""
    user = user_by_name_or_id(call.conn, call.path["user_id"])
    if user is None:
        raise NotFound("User")
    common = queries.maintained_projects(call.actor, user.id)
    if user.id != call.actor.id and call.conn.execute(common.limit(1)).first() is None:
        raise Forbidden("No common authorized project found")
    query = select(deploy_keys).where(queries.opens_one_of(common)).order_by(deploy_keys.c.id)
    return call.page(query, present, keyset=queries.OLDEST_FIRST)


@routes.get(_ALL, guard=ADMIN_PROJECT, params=CursorPaging, returns=list[ProjectDeployKey])
def list_project_deploy_keys(call: Call[CursorPaging]) -> Answer:
    """Deploy keys of a project (Maintainers)."""
    return call.page(queries.keys_in_project(call.project.id), present_in_project, keyset=queries.OLDEST_FIRST)


@routes.get(_ONE, guard=ADMIN_PROJECT, params=KeyPath, returns=ProjectDeployKey)
def get_project_deploy_key(call: Call[KeyPath]) -> Answer:
    """One deploy key of a project."""
    return present_in_project(call, [_find(call)])[0]


@routes.post(_ALL, guard=ADMIN_PROJECT, params=CreateProjectKey, returns=ProjectDeployKey)
def create_project_deploy_key(call: Call[CreateProjectKey]) -> Answer:
    """Add a deploy key to a project; one that it has already is left as it is."""
    with call.write() as tx:
        row = commands.create_in_project(tx, call.actor, call.project.id, call.params)
        created = queries.find_in_project(tx, call.project.id, row.id)
    return present_in_project(call, [created] if created is not None else [])[0]


@routes.put(_ONE, guard=ADMIN_PROJECT, params=UpdateProjectKey, returns=ProjectDeployKey)
def update_project_deploy_key(call: Call[UpdateProjectKey]) -> Answer:
    """Change the title of a deploy key, or whether it may push."""
    row = _find(call)
    with call.write() as tx:
        if call.params.title is not None:
            commands.update_title(tx, call.actor, row, call.params.title)
        if call.params.can_push is not None:
            commands.update_right(tx, row, call.project.id, can_push=call.params.can_push)
    return present_in_project(call, [_find(call)])[0]


@routes.post(_ONE + "/enable", guard=ADMIN_PROJECT, params=KeyPath, returns=DeployKey)
def enable_project_deploy_key(call: Call[KeyPath]) -> Answer:
    """Enable a key of another project, or of the instance, in this project."""
    query = select(deploy_keys).where(deploy_keys.c.id == call.params.key_id, queries.within_reach(call.actor))
    with call.write() as tx:
        row = tx.execute(query).one_or_none()
        if row is None:
            raise NotFound("Deploy key")
        commands.enable(tx, row.id, call.project.id)
    return deploy_key(row)


@routes.delete(_ONE, guard=ADMIN_PROJECT, params=KeyPath)
def delete_project_deploy_key(call: Call[KeyPath]) -> None:
    """Remove a deploy key from a project; it is deleted with its last project, unless it is public."""
    row = queries.find_in_project(call.conn, call.project.id, call.params.key_id)
    if row is None:
        raise NotFound("Deploy key")
    call.require_unmodified(row.created_at)
    with call.write() as tx:
        commands.remove_from_project(tx, row, call.project.id)
