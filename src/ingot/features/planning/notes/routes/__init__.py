"""Endpoints of notes and discussions. Those of issuables are declared in the rooms of the issuables."""

from ingot.features.planning.notes.commits import COMMIT
from ingot.features.planning.notes.routes import commits
from ingot.features.planning.notes.routes.discussions import discussion_routes

ROUTES = [discussion_routes(COMMIT), commits.routes]
