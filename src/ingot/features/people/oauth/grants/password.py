"""The password grant, for old scripts. Off unless the operator of the instance switched it on."""

from ingot.access.required_factors import is_password_enough
from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.grants.request import TokenRequest, require_active
from ingot.features.people.oauth.issuing import Issued, TokenOptions, issue
from ingot.features.people.oauth.scopes import SCOPES, requested_scopes
from ingot.features.people.users import count_failed_sign_in
from ingot.identity.account_locks import is_locked, unlock
from ingot.identity.logins import find_by_login, has_password, is_of_directory, must_confirm
from ingot.instance import application_setting
from ingot.instance.password_attempts import MINUTE, is_tried_too_often
from ingot.kit.rate_windows import hit

PER_ADDRESS = 10


def redeem_password(request: TokenRequest) -> Issued:
    """A pair for a user name and a password; attempts are counted with those of the sign-in page."""
    services = request.services
    if not services.settings.oauth_password_grant:
        raise OAuthError("unsupported_grant_type")
    name, password = request.required("username"), request.required("password")
    with services.db.read() as conn:
        is_offered = bool(application_setting(conn, "password_authentication_enabled_for_web"))
        is_client_needed = not application_setting(conn, "ropc_without_client_credentials")
        client = request.client(conn) if request.client_id or is_client_needed else None
        scopes = requested_scopes(request.values.get("scope", ""), list(SCOPES) if client is None else client.scopes)
        row = find_by_login(conn, name)
        is_offered = is_offered and not (
            row is not None and (is_of_directory(conn, row.id) or must_confirm(conn, services.settings, row))
        )
    by_address = hit(services.db, f"sign_in:{request.address}"[:200], MINUTE).observed > PER_ADDRESS
    if is_tried_too_often(services.db, name.lower() if row is None else row.id) or by_address:
        raise OAuthError("invalid_grant")
    is_right = has_password(row, password)
    if row is not None and not is_right:
        with services.db.write() as tx:
            count_failed_sign_in(tx, row.id)
    if not is_right or row is None or not is_offered or is_locked(row):
        raise OAuthError("invalid_grant")
    if not is_password_enough(services.db, row.id):
        raise OAuthError("invalid_grant")
    with services.db.write() as tx:
        require_active(tx, row.id, request.base_url)
        if row.failed_attempts:
            unlock(tx, row.id)  # only failures in a row lock an account
        return issue(tx, TokenOptions(None if client is None else client.id, row.id, scopes))
