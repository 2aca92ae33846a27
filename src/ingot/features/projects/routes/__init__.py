"""Endpoints of projects."""

from ingot.features.projects.routes.changing import routes as changing
from ingot.features.projects.routes.details import routes as details
from ingot.features.projects.routes.listing import routes as listing
from ingot.features.projects.routes.of_users import routes as of_users
from ingot.features.projects.routes.reading import routes as reading
from ingot.features.projects.routes.upkeep import routes as upkeep
from ingot.features.projects.routes.writing import routes as writing

ROUTES = [listing, reading, writing, changing, details, of_users, upkeep]
