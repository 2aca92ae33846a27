"""The identity provider of a top-level group. This part of the interface is our own."""

from ingot.access.call import Call
from ingot.access.policy import OWN_GROUP
from ingot.features.people.saml import entities
from ingot.features.people.saml.commands.provider import configure_provider, remove_provider
from ingot.features.people.saml.entities import SamlProvider
from ingot.features.people.saml.errors import NotTopLevel
from ingot.features.people.saml.params import ProviderSettings
from ingot.features.people.saml.queries import find_provider
from ingot.features.people.saml.tables import saml_providers
from ingot.kit.endpoint import Routes
from ingot.kit.errors import NotFound

routes = Routes("SAML provider", guard=OWN_GROUP, tier="premium", errors=(400, 403, 404))


@routes.get("/groups/{id}/saml_provider", returns=SamlProvider)
def get_saml_provider(call: Call) -> SamlProvider:
    """The group's identity provider, with the addresses to enter there."""
    row = find_provider(call.conn, call.group.id)
    if row is None:
        raise NotFound("SAML Provider")
    return entities.provider(row, call.group.full_path, call.services.settings)


@routes.put("/groups/{id}/saml_provider", params=ProviderSettings, returns=SamlProvider)
def configure_saml_provider(call: Call[ProviderSettings]) -> SamlProvider:
    """Configure SAML sign-in for a top-level group, or change it.

    `sso_url` and one of `certificate` and `certificate_fingerprint` are needed the first time.
    """
    if call.group.parent_id is not None:
        raise NotTopLevel
    with call.write() as tx:
        row = configure_provider(tx, call.group.id, call.params, call.base_url)
    return entities.provider(row, call.group.full_path, call.services.settings)


@routes.delete("/groups/{id}/saml_provider")
def delete_saml_provider(call: Call) -> None:
    """Remove SAML sign-in from a group, with its identities. People and memberships stay."""
    with call.write() as tx:
        call.require_rows_unmodified(tx, saml_providers, saml_providers.c.group_id == call.group.id)
        remove_provider(tx, call.group.id)
