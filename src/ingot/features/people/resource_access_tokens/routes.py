"""Endpoints of project and group access tokens: the same six for both."""

from ingot.access.call import Call
from ingot.access.policy import READ_GROUP_SIGNED_IN, READ_PROJECT_SIGNED_IN
from ingot.access.subjects import Group, Project
from ingot.features.people.members import source_of
from ingot.features.people.personal_access_tokens import RotateToken, TokenFilters, filtered
from ingot.features.people.resource_access_tokens import commands, policy, queries
from ingot.features.people.resource_access_tokens.entities import (
    ResourceAccessToken,
    ResourceAccessTokenWithValue,
    fields,
    present,
)
from ingot.features.people.resource_access_tokens.params import CreateResourceToken
from ingot.features.people.resource_access_tokens.rows import ResourceTokenRow
from ingot.features.people.users import get_user
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.errors import BadRequest, MethodNotAllowed, NotFound, Unauthorized

project_routes = Routes("Project access tokens")
group_routes = Routes("Group access tokens")
ROUTES = [project_routes, group_routes]

BEYOND = "Access level of the token contains permissions not held by the creating user"
BEYOND_ROTATION = "Not eligible to rotate token with access level higher than the user"
PROJECT, GROUP = "/projects/{id}/access_tokens", "/groups/{id}/access_tokens"


@project_routes.get(
    PROJECT, guard=policy.READ_PROJECT_TOKENS, params=TokenFilters, returns=list[ResourceAccessToken], errors=(401,)
)
def list_project_access_tokens(call: Call[TokenFilters]) -> Answer:
    """The access tokens of a project (Maintainers)."""
    return _list(call)


@group_routes.get(
    GROUP, guard=policy.READ_GROUP_TOKENS, params=TokenFilters, returns=list[ResourceAccessToken], errors=(401,)
)
def list_group_access_tokens(call: Call[TokenFilters]) -> Answer:
    """The access tokens of a group (Owners)."""
    return _list(call)


@project_routes.get(PROJECT + "/{token_id:int}", guard=policy.READ_PROJECT_TOKENS, returns=ResourceAccessToken)
def get_project_access_token(call: Call) -> Answer:
    """One access token of a project."""
    return ResourceAccessToken(**fields(_token(call)))


@group_routes.get(GROUP + "/{token_id:int}", guard=policy.READ_GROUP_TOKENS, returns=ResourceAccessToken)
def get_group_access_token(call: Call) -> Answer:
    """One access token of a group."""
    return ResourceAccessToken(**fields(_token(call)))


@project_routes.post(
    PROJECT, guard=READ_PROJECT_SIGNED_IN, params=CreateResourceToken, returns=ResourceAccessTokenWithValue
)
def create_project_access_token(call: Call[CreateResourceToken]) -> Answer:
    """Create a token for a project, with a bot that is a member of it (Maintainers)."""
    return _create(call)


@group_routes.post(GROUP, guard=READ_GROUP_SIGNED_IN, params=CreateResourceToken, returns=ResourceAccessTokenWithValue)
def create_group_access_token(call: Call[CreateResourceToken]) -> Answer:
    """Create a token for a group, with a bot that is a member of it (Owners)."""
    return _create(call)


@project_routes.delete(PROJECT + "/{token_id:int}", guard=READ_PROJECT_SIGNED_IN)
def revoke_project_access_token(call: Call) -> Answer:
    """Revoke a token of a project; its bot is removed a month later."""
    _revoke(call)


@group_routes.delete(GROUP + "/{token_id:int}", guard=READ_GROUP_SIGNED_IN)
def revoke_group_access_token(call: Call) -> Answer:
    """Revoke a token of a group; its bot is removed a month later."""
    _revoke(call)


@project_routes.post(
    PROJECT + "/{token_id:int}/rotate", guard=READ_PROJECT_SIGNED_IN, status=200, params=RotateToken,
    returns=ResourceAccessTokenWithValue,
)  # fmt: skip
def rotate_project_access_token(call: Call[RotateToken]) -> Answer:
    """Rotate a token of a project; its bot stays the same, and the old token is revoked at once."""
    return _rotate(call)


@group_routes.post(
    GROUP + "/{token_id:int}/rotate", guard=READ_GROUP_SIGNED_IN, status=200, params=RotateToken,
    returns=ResourceAccessTokenWithValue,
)  # fmt: skip
def rotate_group_access_token(call: Call[RotateToken]) -> Answer:
    """Rotate a token of a group; its bot stays the same, and the old token is revoked at once."""
    return _rotate(call)


@project_routes.post(
    PROJECT + "/self/rotate", guard=READ_PROJECT_SIGNED_IN, scopes=("api", "self_rotate"), status=200,
    params=RotateToken, returns=ResourceAccessTokenWithValue, errors=(405,),
)  # fmt: skip
def rotate_own_project_access_token(call: Call[RotateToken]) -> Answer:
    """Rotate the project token that this call uses."""
    return _rotate_self(call)


@group_routes.post(
    GROUP + "/self/rotate", guard=READ_GROUP_SIGNED_IN, scopes=("api", "self_rotate"), status=200,
    params=RotateToken, returns=ResourceAccessTokenWithValue, errors=(405,),
)  # fmt: skip
def rotate_own_group_access_token(call: Call[RotateToken]) -> Answer:
    """Rotate the group token that this call uses."""
    return _rotate_self(call)


def _subject(call: Call) -> Group | Project:
    result: Group | Project = call.group if call.group_or_none is not None else call.project
    return result


def _level(call: Call) -> int:
    return _subject(call).level


def _list(call: Call[TokenFilters]) -> Answer:
    return call.page(filtered(queries.in_source(source_of(call)), call.params), present)


def _token(call: Call) -> ResourceTokenRow:
    source = source_of(call)
    row = queries.find(call.conn, source, int(call.path["token_id"]))
    if row is None:
        raise NotFound(f"{source.kind} Access Token")
    return row


def _create(call: Call[CreateResourceToken]) -> ResourceAccessTokenWithValue:
    source, options = source_of(call), call.params
    if not policy.may_create(call.conn, call.actor, _subject(call)):
        raise BadRequest(f"User does not have permission to create {source.kind} access token")
    if not policy.may_give(call.actor, _level(call), options.access_level):
        raise BadRequest(BEYOND)
    with call.write() as tx:
        row, clear = commands.create(tx, call.actor, source, options, call.base_url)
    return ResourceAccessTokenWithValue(**fields(row), token=clear)


def _revoke(call: Call) -> None:
    row = _token(call)
    if not policy.may_manage(call.actor, _subject(call)):
        bot = get_user(call.conn, row.user_id)
        raise BadRequest(f"{call.actor.name} cannot delete {bot.name}")
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.revoke(tx, row)
    call.services.tokens.forget()


def _rotate(call: Call[RotateToken]) -> Reply:
    source = source_of(call)
    allowed = policy.may_manage(call.actor, _subject(call))
    row = queries.find(call.conn, source, int(call.path["token_id"])) if allowed else None
    if row is None:
        raise NotFound if policy.sees_all_tokens(call.actor) else Unauthorized
    if not policy.may_give(call.actor, _level(call), row.access_level):
        raise BadRequest(BEYOND_ROTATION)
    return _rotated(call, row)


def _rotate_self(call: Call[RotateToken]) -> Reply:
    if call.actor.token_id is None or not policy.is_bot(call.conn, call.actor):
        raise MethodNotAllowed
    row = queries.find(call.conn, source_of(call), call.actor.token_id)
    if row is None:
        raise Unauthorized
    return _rotated(call, row)


def _rotated(call: Call[RotateToken], row: ResourceTokenRow) -> Reply:
    with call.write() as tx:
        created, clear = commands.rotate(tx, source_of(call), row, call.params.expires_at)
    call.services.tokens.forget()
    return Reply(ResourceAccessTokenWithValue(**fields(created), token=clear))
