"""The token of a group's identity provider for SCIM. This part of the interface is our own."""

from ingot.access.call import Call
from ingot.access.policy import OWN_GROUP
from ingot.features.people.saml import NotTopLevel, find_provider
from ingot.features.people.scim import entities
from ingot.features.people.scim.commands.tokens import make_token, revoke_token
from ingot.features.people.scim.entities import ScimToken
from ingot.features.people.scim.errors import NoProvider
from ingot.features.people.scim.queries import find_token
from ingot.features.people.scim.tables import scim_tokens
from ingot.kit.endpoint import Routes
from ingot.kit.errors import NotFound

routes = Routes("SCIM token", guard=OWN_GROUP, tier="premium", errors=(400, 403, 404))


@routes.get("/groups/{id}/scim_token", returns=ScimToken)
def get_scim_token(call: Call) -> ScimToken:
    """The address to enter at the identity provider, and when the token was made."""
    row = find_token(call.conn, call.group.id)
    if row is None:
        raise NotFound("SCIM Token")
    return entities.scim_token(row, call.group.full_path, call.base_url)


@routes.post("/groups/{id}/scim_token", returns=ScimToken)
def create_scim_token(call: Call) -> ScimToken:
    """Create the token with which the group's identity provider provisions users; a former one is revoked.

    The group must be a top-level group with an enabled SAML provider. The token is shown here and never again.
    """
    if call.group.parent_id is not None:
        raise NotTopLevel
    with call.write() as tx:
        provider = find_provider(tx, call.group.id)
        if provider is None or not provider.enabled:
            raise NoProvider
        row, clear = make_token(tx, call.group.id)
    return entities.scim_token(row, call.group.full_path, call.base_url, clear)


@routes.delete("/groups/{id}/scim_token")
def revoke_scim_token(call: Call) -> None:
    """Revoke the token of the identity provider. Identities, users and memberships stay."""
    with call.write() as tx:
        call.require_rows_unmodified(tx, scim_tokens, scim_tokens.c.group_id == call.group.id)
        revoke_token(tx, call.group.id)
