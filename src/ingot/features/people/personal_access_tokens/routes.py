"""Endpoints of personal access tokens."""

from datetime import timedelta

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, SIGNED_IN
from ingot.features.people.personal_access_tokens import commands, policy, queries
from ingot.features.people.personal_access_tokens.entities import (
    PersonalAccessToken,
    PersonalAccessTokenWithValue,
    fields,
    present,
)
from ingot.features.people.personal_access_tokens.impersonation_routes import impersonation
from ingot.features.people.personal_access_tokens.params import CreateOwnToken, CreateToken, ListTokens, RotateToken
from ingot.features.people.users import get_user
from ingot.identity.rows import PersonalAccessTokenRow
from ingot.kit.clock import today
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.errors import BadRequest, MethodNotAllowed, NotFound, RecordNotFound, Unauthorized

routes = Routes("Personal access tokens", guard=SIGNED_IN)
ROUTES = [routes, impersonation]


@routes.get("/personal_access_tokens", params=ListTokens, returns=list[PersonalAccessToken])
def list_personal_access_tokens(call: Call[ListTokens]) -> Answer:
    """Personal access tokens: the caller's own, or everybody's for administrators."""
    user_id = call.params.user_id
    if user_id is not None and not policy.may_manage_tokens_of(call.actor, user_id):
        raise Unauthorized
    return call.page(queries.listed(call.actor, call.params), present)


@routes.get("/personal_access_tokens/self", scopes=("*",), returns=PersonalAccessToken)
def get_current_token(call: Call) -> Answer:
    """The token that this call uses; any scope is enough."""
    return PersonalAccessToken(**fields(_current(call)))


@routes.delete("/personal_access_tokens/self", scopes=("*",))
def revoke_current_token(call: Call) -> Answer:
    """Revoke the token that this call uses; any scope is enough."""
    row = _current(call)
    _revoke(call, row)


@routes.post(
    "/personal_access_tokens/self/rotate", scopes=("api", "self_rotate"), status=200, params=RotateToken,
    returns=PersonalAccessTokenWithValue,
)  # fmt: skip
def rotate_current_token(call: Call[RotateToken]) -> Answer:
    """Rotate the token that this call uses; the old one is revoked at once."""
    if call.actor.token_id is None:
        raise MethodNotAllowed
    return _rotate(call, _current(call))


@routes.get("/personal_access_tokens/{id:int}", returns=PersonalAccessToken)
def get_personal_access_token(call: Call) -> Answer:
    """One token."""
    return PersonalAccessToken(**fields(_readable(call)))


@routes.delete("/personal_access_tokens/{id:int}")
def revoke_personal_access_token(call: Call) -> Answer:
    """Revoke a token."""
    row = queries.find(call.conn, int(call.path["id"]))
    if row is None:
        raise RecordNotFound
    if not policy.may_manage_tokens_of(call.actor, row.user_id):
        raise BadRequest
    _revoke(call, row)


@routes.post(
    "/personal_access_tokens/{id:int}/rotate", status=200, params=RotateToken, returns=PersonalAccessTokenWithValue
)
def rotate_personal_access_token(call: Call[RotateToken]) -> Answer:
    """Rotate a token; the old one is revoked at once."""
    return _rotate(call, _readable(call))


@routes.post(
    "/users/{user_id:int}/personal_access_tokens", guard=ADMINISTRATOR, scopes=("read_user",), params=CreateToken,
    returns=PersonalAccessTokenWithValue, errors=(422,),
)  # fmt: skip
def create_user_token(call: Call[CreateToken]) -> Answer:
    """Create a token for a user (administrators)."""
    with call.write() as tx:
        user = get_user(tx, int(call.path["user_id"]))
        row, clear = commands.create(tx, user.id, call.params, expires_at=call.params.expires_at)
    return PersonalAccessTokenWithValue(**fields(row), token=clear)


@routes.post(
    "/user/personal_access_tokens", scopes=("read_user",), params=CreateOwnToken,
    returns=PersonalAccessTokenWithValue, errors=(422,),
)  # fmt: skip
def create_own_token(call: Call[CreateOwnToken]) -> Answer:
    """Create a token of the caller, with the few scopes that the API may grant."""
    expires_at = call.params.expires_at or today() + timedelta(days=1)
    with call.write() as tx:
        row, clear = commands.create(tx, call.actor.id, call.params, expires_at=expires_at)
    return PersonalAccessTokenWithValue(**fields(row), token=clear)


def _current(call: Call) -> PersonalAccessTokenRow:
    row = queries.find(call.conn, call.actor.token_id) if call.actor.token_id is not None else None
    if row is None:
        raise BadRequest
    return row


def _readable(call: Call) -> PersonalAccessTokenRow:
    """The token of the path: a missing or foreign one is 401 for users, 404 for administrators."""
    row = queries.find(call.conn, int(call.path["id"]))
    if row is None and policy.sees_all_tokens(call.actor):
        raise NotFound
    if row is None or not policy.may_manage_tokens_of(call.actor, row.user_id):
        raise Unauthorized
    return row


def _revoke(call: Call, row: PersonalAccessTokenRow) -> None:
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.revoke(tx, row.id)
    call.services.tokens.forget()


def _rotate(call: Call[RotateToken], row: PersonalAccessTokenRow) -> Reply:
    with call.write() as tx:
        created, clear = commands.rotate(tx, row, call.params.expires_at)
    call.services.tokens.forget()
    return Reply(PersonalAccessTokenWithValue(**fields(created), token=clear))
