"""Redeeming the code that a browser brought back."""

from msgspec.structs import replace
from sqlalchemy import select, update

from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.grants.request import TokenRequest, require_active
from ingot.features.people.oauth.issuing import Issued, TokenOptions, issue
from ingot.features.people.oauth.pkce import check_verifier
from ingot.features.people.oauth.rows import GrantRow
from ingot.identity import oauth_tokens
from ingot.identity.oauth_tables import oauth_access_tokens, oauth_grants
from ingot.identity.tokens import digest
from ingot.kit.clock import now


def redeem_code(request: TokenRequest) -> Issued:
    """A pair for a code. A code that comes a second time may be stolen: what it opened is closed."""
    code, redirect_uri = request.required("code"), request.required("redirect_uri")
    is_replayed = False
    with request.services.db.write() as tx:
        client = request.client(tx)
        statement = select(oauth_grants).where(oauth_grants.c.digest == digest(code)).with_for_update()
        grant: GrantRow | None = tx.execute(statement).one_or_none()
        if grant is None or grant.application_id != client.id:
            raise OAuthError("invalid_grant")
        if grant.used_at is not None:
            oauth_tokens.revoke(tx, oauth_access_tokens.c.family == grant.family)
            is_replayed = True
        else:
            if grant.expires_at <= now() or grant.redirect_uri != redirect_uri:
                raise OAuthError("invalid_grant")
            check_verifier(grant, request.values.get("code_verifier", ""))
            require_active(tx, grant.user_id, request.base_url)
            tx.execute(update(oauth_grants).where(oauth_grants.c.id == grant.id).values(used_at=now()))
            options = TokenOptions(client.id, grant.user_id, grant.scopes, family=grant.family)
            issued = issue(tx, options)
    if is_replayed:
        request.services.tokens.forget()
        raise OAuthError("invalid_grant")
    return replace(issued, nonce=grant.nonce, signed_in_at=grant.signed_in_at)
