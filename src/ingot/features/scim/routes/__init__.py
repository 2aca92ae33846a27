"""Endpoints for owners: the identities that their provider keeps, and its token."""

from ingot.features.scim.routes import identities, token

ROUTES = [identities.routes, token.routes]
