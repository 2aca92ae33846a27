"""Endpoints of projects."""

from ingot.features.projects.routes.writing import routes as writing
from ingot.features.projects.routes.reading import routes as reading

ROUTES = [reading, writing]
