"""Endpoints of projects."""

from ingot.features.projects.routes.listing import routes as listing
from ingot.features.projects.routes.reading import routes as reading
from ingot.features.projects.routes.writing import routes as writing

ROUTES = [listing, reading, writing]
