"""Endpoints of impersonation tokens, with which administrators act as another user."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.people.personal_access_tokens import commands, queries
from ingot.features.people.personal_access_tokens.entities import (
    ImpersonationToken,
    ImpersonationTokenWithValue,
    fields,
    present_impersonation,
)
from ingot.features.people.personal_access_tokens.params import CreateToken, ListImpersonationTokens
from ingot.features.people.users import get_user
from ingot.identity.rows import PersonalAccessTokenRow
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

impersonation = Routes("Impersonation tokens", guard=ADMINISTRATOR, scopes=("read_user",))


@impersonation.get(
    "/users/{user_id:int}/impersonation_tokens", params=ListImpersonationTokens, returns=list[ImpersonationToken]
)
def list_impersonation_tokens(call: Call[ListImpersonationTokens]) -> Answer:
    """The impersonation tokens of a user."""
    user = get_user(call.conn, int(call.path["user_id"]))
    return call.page(queries.impersonation_tokens(user.id, call.params.state), present_impersonation)


@impersonation.get("/users/{user_id:int}/impersonation_tokens/{impersonation_token_id:int}", returns=ImpersonationToken)
def get_impersonation_token(call: Call) -> Answer:
    """One impersonation token of a user."""
    return ImpersonationToken(**fields(_token(call)), impersonation=True)


@impersonation.post(
    "/users/{user_id:int}/impersonation_tokens", params=CreateToken, returns=ImpersonationTokenWithValue, errors=(422,)
)
def create_impersonation_token(call: Call[CreateToken]) -> Answer:
    """Create a token with which an administrator acts as the user."""
    options = call.params
    with call.write() as tx:
        user = get_user(tx, int(call.path["user_id"]))
        row, clear = commands.create(tx, user.id, options, expires_at=options.expires_at, impersonation=True)
    return ImpersonationTokenWithValue(**fields(row), impersonation=True, token=clear)


@impersonation.delete("/users/{user_id:int}/impersonation_tokens/{impersonation_token_id:int}")
def revoke_impersonation_token(call: Call) -> Answer:
    """Revoke an impersonation token of a user."""
    row = _token(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.revoke(tx, row.id)
    call.services.tokens.forget()


def _token(call: Call) -> PersonalAccessTokenRow:
    user = get_user(call.conn, int(call.path["user_id"]))
    row = queries.find(call.conn, int(call.path["impersonation_token_id"]))
    if row is None or row.user_id != user.id or not row.impersonation:
        raise NotFound("Impersonation Token")
    return row
