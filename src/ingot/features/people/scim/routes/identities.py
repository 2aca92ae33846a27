"""SCIM identities of a group."""

from ingot.access.call import Call
from ingot.access.policy import OWN_GROUP
from ingot.features.people.saml import find_provider
from ingot.features.people.scim import entities
from ingot.features.people.scim.commands.identities import remove_identity, rename_identity
from ingot.features.people.scim.entities import GroupScimIdentity
from ingot.features.people.scim.params import NewExternUid
from ingot.features.people.scim.queries import get_identity, list_identities
from ingot.kit.endpoint import Routes
from ingot.kit.errors import BadRequest

routes = Routes("SCIM identities", guard=OWN_GROUP, guard_first=True, tier="premium", errors=(403, 404))


@routes.get("/groups/{id}/scim/identities", returns=list[GroupScimIdentity], errors=(400, 403, 404))
def list_group_scim_identities(call: Call) -> list[GroupScimIdentity]:
    """All SCIM identities of a top-level group with a SAML provider."""
    if find_provider(call.conn, call.group.id) is None:
        raise BadRequest
    return [entities.identity(row) for row in list_identities(call.conn, call.group.id)]


@routes.get("/groups/{id}/scim/{uid}", returns=GroupScimIdentity)
def get_group_scim_identity(call: Call) -> GroupScimIdentity:
    """One SCIM identity by its external UID."""
    return entities.identity(get_identity(call.conn, call.group.id, call.path["uid"]))


@routes.patch("/groups/{id}/scim/{uid}", params=NewExternUid, returns=GroupScimIdentity, errors=(400, 403, 404))
def update_group_scim_identity(call: Call[NewExternUid]) -> GroupScimIdentity:
    """Change the external UID of an identity (`id` or `externalId` at the identity provider)."""
    with call.write() as tx:
        row = rename_identity(tx, call.group.id, call.path["uid"], call.params.extern_uid or "")
    return entities.identity(row)


@routes.delete("/groups/{id}/scim/{uid}")
def delete_group_scim_identity(call: Call) -> None:
    """Remove an identity. The person and the memberships stay."""
    call.require_unmodified(get_identity(call.conn, call.group.id, call.path["uid"]).updated_at)
    with call.write() as tx:
        remove_identity(tx, call.group.id, call.path["uid"])
