"""Endpoints of projects."""

from ingot.features.projects.routes.reading import routes as reading
from ingot.features.projects.routes.writing import routes as writing

ROUTES = [reading, writing]
