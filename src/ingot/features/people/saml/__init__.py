"""SAML sign-in of groups, identities, and group links that map SAML groups to roles."""

from ingot.features.people.saml.commands.identities import link_identity
from ingot.features.people.saml.commands.people import Newcomer, create_person, free_username
from ingot.features.people.saml.commands.sync import ensure_member
from ingot.features.people.saml.entities import SamlGroupLink, group_link, service_provider_at
from ingot.features.people.saml.errors import NotTopLevel
from ingot.features.people.saml.queries import (
    find_identity,
    find_provider,
    identities_of_members,
    list_links,
    needs_identity,
    scim_identities_of_members,
    sign_in_path_of,
)
from ingot.features.people.saml.tables import saml_providers

__all__ = [
    "Newcomer",
    "NotTopLevel",
    "SamlGroupLink",
    "create_person",
    "ensure_member",
    "find_identity",
    "find_provider",
    "free_username",
    "group_link",
    "identities_of_members",
    "link_identity",
    "list_links",
    "needs_identity",
    "saml_providers",
    "scim_identities_of_members",
    "service_provider_at",
    "sign_in_path_of",
]
