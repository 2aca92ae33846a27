"""Endpoints of projects."""

from ingot.features.spaces.projects.routes.changing import routes as changing
from ingot.features.spaces.projects.routes.details import routes as details
from ingot.features.spaces.projects.routes.listing import routes as listing
from ingot.features.spaces.projects.routes.mirrors import routes as mirrors
from ingot.features.spaces.projects.routes.of_users import routes as of_users
from ingot.features.spaces.projects.routes.reading import routes as reading
from ingot.features.spaces.projects.routes.upkeep import routes as upkeep
from ingot.features.spaces.projects.routes.writing import routes as writing

ROUTES = [listing, reading, writing, changing, details, of_users, upkeep, mirrors]
