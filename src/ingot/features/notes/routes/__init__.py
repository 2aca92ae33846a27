"""Endpoints of notes and discussions. Those of issuables are made by the rooms of the issuables themselves."""

from ingot.features.notes.commits import COMMIT
from ingot.features.notes.routes import commits
from ingot.features.notes.routes.discussions import discussion_routes

ROUTES = [discussion_routes(COMMIT), commits.routes]
