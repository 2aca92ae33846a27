"""Refreshing: a new pair for an old one.

The old pair is revoked when the new one is used for the first time, so that a client whose answer was lost can ask
again. A refresh token that comes after that may be stolen: everything that followed from the consent is revoked.
"""

from sqlalchemy import select

from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.grants.request import TokenRequest, require_active
from ingot.features.people.oauth.issuing import Issued, TokenOptions, issue
from ingot.features.people.oauth.rows import TokenRow
from ingot.features.people.oauth.scopes import parse_scopes
from ingot.identity import oauth_tokens
from ingot.identity.oauth_tables import oauth_access_tokens as tokens
from ingot.identity.tokens import digest


def refresh(request: TokenRequest) -> Issued:
    """A new pair with the same scopes, or fewer."""
    clear = request.required("refresh_token")
    issued: Issued | None = None
    with request.services.db.write() as tx:
        statement = select(tokens).where(tokens.c.refresh_digest == digest(clear)).with_for_update()
        old: TokenRow | None = tx.execute(statement).one_or_none()
        if old is None or old.user_id is None:
            request.client(tx)
            raise OAuthError("invalid_grant")
        if old.application_id is None:
            # A pair of the password grant without a client.
            application_id = None
            if request.client_id:
                raise OAuthError("invalid_grant")
        else:
            application_id = request.client(tx).id
        if old.application_id != application_id:
            raise OAuthError("invalid_grant")
        if old.revoked_at is not None:
            oauth_tokens.revoke(tx, tokens.c.family == old.family)
        else:
            require_active(tx, old.user_id, request.base_url)
            scopes = parse_scopes(request.values.get("scope", "")) or old.scopes
            if not set(scopes) <= set(old.scopes):
                raise OAuthError("invalid_scope")
            if old.previous_id is not None:
                oauth_tokens.retire_previous(tx, old.id, old.previous_id)
            # A new pair that nobody used is replaced as well: at most one of them lives.
            oauth_tokens.revoke(tx, tokens.c.previous_id == old.id)
            options = TokenOptions(application_id, old.user_id, scopes, family=old.family, previous_id=old.id)
            issued = issue(tx, options)
    request.services.tokens.forget()
    if issued is None:
        raise OAuthError("invalid_grant")
    return issued
