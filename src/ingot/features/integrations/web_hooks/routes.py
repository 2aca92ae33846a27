"""Endpoints of web hooks: of projects, of groups and of the instance."""

from ingot.features.integrations.web_hooks import place_routes, system_routes

ROUTES = [*(place_routes.routes_of(place) for place in place_routes.PLACES), system_routes.routes]
