"""SAML sign-in of groups, the identities that it makes, and group links that turn groups into roles."""

from ingot.features.saml.commands.provider import ensure_provider
from ingot.features.saml.entities import SamlGroupLink, group_link
from ingot.features.saml.queries import GROUP_SAML, find_provider, identities_of_members, list_links, needs_identity

__all__ = [
    "GROUP_SAML",
    "SamlGroupLink",
    "ensure_provider",
    "find_provider",
    "group_link",
    "identities_of_members",
    "list_links",
    "needs_identity",
]
