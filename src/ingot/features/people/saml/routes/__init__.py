"""Endpoints of SAML: the provider of a group, its identities, and group links."""

from ingot.features.people.saml.routes import group_links, identities, provider

ROUTES = [provider.routes, identities.routes, group_links.routes]
