"""Endpoints for owners: the identities that their provider keeps, and its token."""

from ingot.features.people.scim.routes import identities, token

ROUTES = [identities.routes, token.routes]
