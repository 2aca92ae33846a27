"""Endpoints of notes and discussions, declared once and made for each kind of thing."""

from ingot.features.notes.noteables import COMMIT, ISSUE, MERGE_REQUEST
from ingot.features.notes.routes import commits, suggestions
from ingot.features.notes.routes.discussions import discussion_routes
from ingot.features.notes.routes.notes import note_routes

ROUTES = [
    note_routes(MERGE_REQUEST),
    note_routes(ISSUE),
    discussion_routes(MERGE_REQUEST),
    discussion_routes(ISSUE),
    discussion_routes(COMMIT),
    commits.routes,
    suggestions.routes,
]
