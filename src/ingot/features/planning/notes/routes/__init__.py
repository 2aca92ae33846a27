"""Endpoints of notes and discussions. Those of issuables are made by the rooms of the issuables themselves."""

from ingot.features.planning.notes.commits import COMMIT
from ingot.features.planning.notes.routes import commits
from ingot.features.planning.notes.routes.discussions import discussion_routes

ROUTES = [discussion_routes(COMMIT), commits.routes]
