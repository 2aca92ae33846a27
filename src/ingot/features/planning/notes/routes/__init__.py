"""Endpoints of notes, discussions and reactions. Those of issuables are declared in the rooms of the issuables."""

from ingot.features.planning.award_emoji import award_routes
from ingot.features.planning.notes.awards import note_award_routes
from ingot.features.planning.notes.commits import COMMIT
from ingot.features.planning.notes.routes import commits
from ingot.features.planning.notes.routes.discussions import discussion_routes
from ingot.features.planning.notes.routes.notes import note_routes
from ingot.features.planning.notes.snippets import SNIPPET

ROUTES = [
    discussion_routes(COMMIT),
    commits.routes,
    note_routes(SNIPPET),
    discussion_routes(SNIPPET),
    award_routes(SNIPPET),
    note_award_routes(SNIPPET),
]
