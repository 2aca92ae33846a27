"""Endpoints of service accounts and of the tokens of a group's accounts."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.people.personal_access_tokens import (
    PersonalAccessToken,
    PersonalAccessTokenWithValue,
    create_token,
    filtered,
    find_token,
    present_tokens,
    revoke,
    rotate,
    token_fields,
    tokens_of,
)
from ingot.features.people.service_accounts import commands, queries
from ingot.features.people.service_accounts.entities import ServiceAccount, present
from ingot.features.people.service_accounts.params import (
    AccountFields,
    AccountPath,
    CreateAccountToken,
    DeleteAccount,
    EditAccount,
    EditInstanceAccount,
    ListAccounts,
    ListAccountTokens,
    RotateAccountToken,
    TokenPath,
)
from ingot.features.people.service_accounts.policy import MANAGE_GROUP_ACCOUNTS, require_tokens
from ingot.features.people.users import delete_user
from ingot.identity.rows import PersonalAccessTokenRow, UserRow
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.errors import BadRequest, NotFound, Unprocessable

instance_routes = Routes("Service accounts", guard=ADMINISTRATOR, tier="premium")
group_routes = Routes("Group service accounts", guard=MANAGE_GROUP_ACCOUNTS, tier="premium")
ROUTES = [instance_routes, group_routes]
ACCOUNTS, GROUP_ACCOUNTS = "/service_accounts", "/groups/{id}/service_accounts"
ONE = GROUP_ACCOUNTS + "/{user_id:int}"
TOKENS = ONE + "/personal_access_tokens"


@instance_routes.get(ACCOUNTS, params=ListAccounts, returns=list[ServiceAccount])
def list_service_accounts(call: Call[ListAccounts]) -> Answer:
    """The service accounts of the instance (administrators)."""
    query, keyset = queries.listed(None, call.params)
    return call.page(query, present, keyset=keyset)


@instance_routes.post(ACCOUNTS, params=AccountFields, returns=ServiceAccount)
def create_service_account(call: Call[AccountFields]) -> Answer:
    """Create a service account of the instance (administrators). It cannot sign in, and takes no seat."""
    return _shown(call, commands.create(call, None, call.params), None)


@instance_routes.patch(ACCOUNTS + "/{id:int}", params=EditInstanceAccount, returns=ServiceAccount)
def update_service_account(call: Call[EditInstanceAccount]) -> Answer:
    """Change a service account of the instance (administrators)."""
    row = _found(call, call.params.id, None)
    commands.edit(call, row, call.params)
    return _shown(call, row.id, None)


@group_routes.get(GROUP_ACCOUNTS, params=ListAccounts, returns=list[ServiceAccount])
def list_group_service_accounts(call: Call[ListAccounts]) -> Answer:
    """The service accounts of a top-level group (Owners)."""
    query, keyset = queries.listed(call.group.id, call.params)
    return call.page(query, present, keyset=keyset)


@group_routes.post(GROUP_ACCOUNTS, params=AccountFields, returns=ServiceAccount)
def create_group_service_account(call: Call[AccountFields]) -> Answer:
    """Create a service account, which can become a member of this group and of everything below (Owners)."""
    return _shown(call, commands.create(call, call.group.id, call.params), call.group.id)


@group_routes.patch(ONE, params=EditAccount, returns=ServiceAccount)
def update_group_service_account(call: Call[EditAccount]) -> Answer:
    """Change a service account of a group (Owners)."""
    row = _account(call)
    commands.edit(call, row, call.params)
    return _shown(call, row.id, call.group.id)


@group_routes.delete(ONE, params=DeleteAccount, errors=(409,))
def delete_group_service_account(call: Call[DeleteAccount]) -> Answer:
    """Remove a service account of a group. What it wrote goes to the ghost user unless `hard_delete` is set."""
    row = _account(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        delete_user(tx, row.id, hard=call.params.hard_delete)
    call.services.tokens.forget()


@group_routes.get(TOKENS, params=ListAccountTokens, returns=list[PersonalAccessToken])
def list_group_service_account_tokens(call: Call[ListAccountTokens]) -> Answer:
    """The personal access tokens of a service account."""
    return call.page(filtered(tokens_of(_account(call).id), call.params), present_tokens)


@group_routes.post(TOKENS, params=CreateAccountToken, returns=PersonalAccessTokenWithValue)
def create_group_service_account_token(call: Call[CreateAccountToken]) -> Answer:
    """Create a personal access token of a service account; its value is shown only once."""
    account = _account(call)
    with call.write() as tx:
        try:
            row, clear = create_token(tx, account.id, call.params, expires_at=call.params.expires_at)
        except Unprocessable as problem:
            raise BadRequest(problem.text) from None
    return PersonalAccessTokenWithValue(**token_fields(row), token=clear)


@group_routes.delete(TOKENS + "/{token_id:int}", params=TokenPath)
def revoke_group_service_account_token(call: Call[TokenPath]) -> Answer:
    """Revoke a personal access token of a service account."""
    row = _token(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        revoke(tx, row.id)
    call.services.tokens.forget()


@group_routes.post(
    TOKENS + "/{token_id:int}/rotate", status=200, params=RotateAccountToken, returns=PersonalAccessTokenWithValue
)
def rotate_group_service_account_token(call: Call[RotateAccountToken]) -> Answer:
    """Rotate a personal access token of a service account; the old one is revoked at once."""
    row = _token(call)
    with call.write() as tx:
        created, clear = rotate(tx, row, call.params.expires_at)
    call.services.tokens.forget()
    return Reply(PersonalAccessTokenWithValue(**token_fields(created), token=clear))


def _found(call: Call, user_id: int, group_id: int | None) -> UserRow:
    row = queries.find(call.conn, group_id, user_id)
    if row is None:
        raise NotFound("User")
    return row


def _account(call: Call[AccountPath]) -> UserRow:
    row = _found(call, call.params.user_id, call.group.id)
    require_tokens(call, row)
    return row


def _shown(call: Call, user_id: int, group_id: int | None) -> ServiceAccount:
    return present(call, [_found(call, user_id, group_id)])[0]


def _token(call: Call[TokenPath]) -> PersonalAccessTokenRow:
    row = find_token(call.conn, call.params.token_id)
    if row is None or row.user_id != _account(call).id or row.impersonation:
        raise NotFound("Personal Access Token")
    return row
