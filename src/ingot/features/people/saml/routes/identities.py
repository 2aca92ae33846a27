"""SAML identities of a group."""

from ingot.access.call import Call
from ingot.access.policy import OWN_GROUP
from ingot.features.people.saml import entities
from ingot.features.people.saml.commands.identities import remove_identity, rename_identity
from ingot.features.people.saml.entities import SamlIdentity
from ingot.features.people.saml.params import NewNameId
from ingot.features.people.saml.queries import find_provider, get_identity, list_identities
from ingot.kit.endpoint import Routes
from ingot.kit.errors import BadRequest

routes = Routes("SAML identities", guard=OWN_GROUP, guard_first=True, tier="premium", errors=(403, 404))


@routes.get("/groups/{id}/saml/identities", returns=list[SamlIdentity], errors=(400, 403, 404))
def list_group_saml_identities(call: Call) -> list[SamlIdentity]:
    """All SAML identities of a top-level group with a provider."""
    provider = find_provider(call.conn, call.group.id)
    if provider is None:
        raise BadRequest
    return [entities.identity(row) for row in list_identities(call.conn, provider.id)]


@routes.get("/groups/{id}/saml/{uid}", returns=SamlIdentity)
def get_group_saml_identity(call: Call) -> SamlIdentity:
    """One SAML identity by its external UID."""
    return entities.identity(get_identity(call.conn, call.group.id, call.path["uid"]))


@routes.patch("/groups/{id}/saml/{uid}", params=NewNameId, returns=SamlIdentity, errors=(400, 403, 404))
def update_group_saml_identity(call: Call[NewNameId]) -> SamlIdentity:
    """Change the external UID of an identity (`id` or `externalId` at the identity provider)."""
    with call.write() as tx:
        row = rename_identity(tx, call.group.id, call.path["uid"], call.params.extern_uid or "")
    return entities.identity(row)


@routes.delete("/groups/{id}/saml/{uid}")
def delete_group_saml_identity(call: Call) -> None:
    """Remove an identity. The person and the memberships stay."""
    call.require_unmodified(get_identity(call.conn, call.group.id, call.path["uid"]).updated_at)
    with call.write() as tx:
        remove_identity(tx, call.group.id, call.path["uid"])
