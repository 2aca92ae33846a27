"""SAML group links of a group."""

from ingot.access.call import Call
from ingot.features.people.saml import entities
from ingot.features.people.saml.commands.group_links import create_link, delete_link
from ingot.features.people.saml.entities import SamlGroupLink
from ingot.features.people.saml.params import LinkName, NewLink
from ingot.features.people.saml.policy import ADMIN_SAML_GROUP_LINKS
from ingot.features.people.saml.queries import get_link, list_links
from ingot.kit.endpoint import Routes

routes = Routes("SAML group links", guard=ADMIN_SAML_GROUP_LINKS)
PATH = "/groups/{id}/saml_group_links"


@routes.get(PATH, returns=list[SamlGroupLink])
def list_saml_group_links(call: Call) -> list[SamlGroupLink]:
    """All SAML group links of a group."""
    custom_roles = _custom_roles(call)
    return [entities.group_link(row, custom_roles=custom_roles) for row in list_links(call.conn, call.group.id)]


@routes.get(PATH + "/{saml_group_name}", params=LinkName, returns=SamlGroupLink, errors=(404, 422))
def get_saml_group_link(call: Call[LinkName]) -> SamlGroupLink:
    """One SAML group link by its name."""
    row = get_link(call.conn, call.group.id, call.path["saml_group_name"], _provider(call))
    return entities.group_link(row, custom_roles=_custom_roles(call))


@routes.post(PATH, params=NewLink, returns=SamlGroupLink, errors=(400,))
def create_saml_group_link(call: Call[NewLink]) -> SamlGroupLink:
    """Give the people of a SAML group a role in this group, from their next sign-in on."""
    custom_roles = _custom_roles(call)
    with call.write() as tx:
        row = create_link(tx, call.group, call.params, custom_roles=custom_roles)
    return entities.group_link(row, custom_roles=custom_roles)


@routes.delete(PATH + "/{saml_group_name}", params=LinkName, errors=(404, 422))
def delete_saml_group_link(call: Call[LinkName]) -> None:
    """Remove a SAML group link."""
    link = get_link(call.conn, call.group.id, call.path["saml_group_name"], _provider(call))
    call.require_unmodified(link.updated_at)
    with call.write() as tx:
        delete_link(tx, call.group.id, call.path["saml_group_name"], _provider(call))


def _provider(call: Call[LinkName]) -> str | None:
    """None: not asked for; empty: the link without a provider."""
    return (call.params.provider or "") if "provider" in call.params.sent else None


def _custom_roles(call: Call) -> bool:
    return bool(call.services.settings.has_tier("ultimate"))
