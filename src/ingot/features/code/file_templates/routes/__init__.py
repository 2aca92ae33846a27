"""Endpoints of templates: of projects, and those that come with the server."""

from ingot.features.code.file_templates.routes import instance, projects

ROUTES = [projects.routes, instance.routes]
