"""Endpoints of web hooks: of projects, of groups and of the instance."""

from ingot.features.integrations.web_hooks import group_routes, project_routes, system_routes

ROUTES = [project_routes.routes, group_routes.routes, system_routes.routes]
