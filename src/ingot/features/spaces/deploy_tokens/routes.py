"""Endpoints of deploy tokens: of projects, of groups, and all of the instance."""

from sqlalchemy import ColumnElement, true

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.spaces.deploy_tokens import commands, queries
from ingot.features.spaces.deploy_tokens.entities import DeployToken, deploy_token, present
from ingot.features.spaces.deploy_tokens.params import CreateDeployToken, ListDeployTokens, TokenPath
from ingot.features.spaces.deploy_tokens.policy import MANAGE_GROUP_TOKENS, MANAGE_PROJECT_TOKENS, READ_GROUP_TOKENS
from ingot.features.spaces.deploy_tokens.tables import deploy_tokens
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import RecordNotFound
from ingot.kit.pagination import Keyset

routes = Routes("Deploy tokens")
PROJECT, GROUP = "/projects/{id}/deploy_tokens", "/groups/{id}/deploy_tokens"
ONE = "/{token_id}"


def _place(call: Call) -> ColumnElement[bool]:
    is_project = call.project_or_none is not None
    condition: ColumnElement[bool] = (
        deploy_tokens.c.project_id == call.project.id if is_project else deploy_tokens.c.group_id == call.group.id
    )
    return condition


def _list(call: Call[ListDeployTokens]) -> Answer:
    return call.page(
        queries.listed(_place(call), call.params), present, keyset=Keyset(deploy_tokens.c.id, descending=False)
    )


def _get(call: Call[TokenPath]) -> DeployToken:
    row = queries.find(call.conn, _place(call), call.params.token_id)
    if row is None:
        raise RecordNotFound
    return deploy_token(row)


def _create(call: Call[CreateDeployToken]) -> DeployToken:
    is_project = call.project_or_none is not None
    place = {"project_id": call.project.id} if is_project else {"group_id": call.group.id}
    with call.write() as tx:
        row, clear = commands.create(tx, call.services, call.actor.id, call.params, **place)
    return deploy_token(row, clear)


def _delete(call: Call[TokenPath]) -> None:
    with call.write() as tx:
        row = queries.find(tx, _place(call), call.params.token_id)
        if row is None:
            raise RecordNotFound
        call.delete_rows(tx, deploy_tokens, deploy_tokens.c.id == row.id)
        commands.report_token(tx, "delete", row)


@routes.get("/deploy_tokens", guard=ADMINISTRATOR, params=ListDeployTokens, returns=list[DeployToken])
def list_deploy_tokens(call: Call[ListDeployTokens]) -> Answer:
    """All deploy tokens of the instance (administrators)."""
    return call.page(queries.listed(true(), call.params), present, keyset=Keyset(deploy_tokens.c.id, descending=False))


@routes.get(PROJECT, guard=MANAGE_PROJECT_TOKENS, params=ListDeployTokens, returns=list[DeployToken])
def list_project_deploy_tokens(call: Call[ListDeployTokens]) -> Answer:
    """Deploy tokens of a project (Maintainers)."""
    return _list(call)


@routes.get(PROJECT + ONE, guard=MANAGE_PROJECT_TOKENS, params=TokenPath, returns=DeployToken)
def get_project_deploy_token(call: Call[TokenPath]) -> Answer:
    """One deploy token of a project."""
    return _get(call)


@routes.post(PROJECT, guard=MANAGE_PROJECT_TOKENS, params=CreateDeployToken, returns=DeployToken)
def create_project_deploy_token(call: Call[CreateDeployToken]) -> Answer:
    """Create a deploy token for a project; its value is shown only once."""
    return _create(call)


@routes.delete(PROJECT + ONE, guard=MANAGE_PROJECT_TOKENS, params=TokenPath)
def delete_project_deploy_token(call: Call[TokenPath]) -> None:
    """Delete a deploy token of a project."""
    _delete(call)


@routes.get(GROUP, guard=READ_GROUP_TOKENS, params=ListDeployTokens, returns=list[DeployToken])
def list_group_deploy_tokens(call: Call[ListDeployTokens]) -> Answer:
    """Deploy tokens of a group (Maintainers)."""
    return _list(call)


@routes.get(GROUP + ONE, guard=READ_GROUP_TOKENS, params=TokenPath, returns=DeployToken)
def get_group_deploy_token(call: Call[TokenPath]) -> Answer:
    """One deploy token of a group."""
    return _get(call)


@routes.post(GROUP, guard=MANAGE_GROUP_TOKENS, params=CreateDeployToken, returns=DeployToken)
def create_group_deploy_token(call: Call[CreateDeployToken]) -> Answer:
    """Create a deploy token for all projects of a group (Owners); its value is shown only once."""
    return _create(call)


@routes.delete(GROUP + ONE, guard=MANAGE_GROUP_TOKENS, params=TokenPath)
def delete_group_deploy_token(call: Call[TokenPath]) -> None:
    """Delete a deploy token of a group (Owners)."""
    _delete(call)
