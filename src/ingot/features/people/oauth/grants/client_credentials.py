"""A token for the application itself. It belongs to nobody, so it opens nothing of the API."""

from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.grants.request import TokenRequest
from ingot.features.people.oauth.issuing import Issued, TokenOptions, issue
from ingot.features.people.oauth.scopes import requested_scopes


def grant_to_client(request: TokenRequest) -> Issued:
    """A token without a user and without a refresh token."""
    with request.services.db.write() as tx:
        client = request.client(tx)
        if not client.confidential:
            raise OAuthError("unauthorized_client")
        scopes = requested_scopes(request.values.get("scope", ""), client.scopes)
        return issue(tx, TokenOptions(client.id, None, scopes, is_refreshable=False))
