"""Notes, reactions, time, events and to-do items of issues."""

from ingot.features.planning.award_emoji import award_routes
from ingot.features.planning.issues.kind import ISSUE
from ingot.features.planning.issues.lookup import find_issue
from ingot.features.planning.issues.policy import FIND_ISSUE
from ingot.features.planning.notes import discussion_routes, note_award_routes, note_routes
from ingot.features.planning.resource_events import event_routes
from ingot.features.planning.time_tracking import tracking_routes
from ingot.features.planning.todos import todo_routes

ROUTES = [
    note_routes(ISSUE),
    discussion_routes(ISSUE),
    award_routes(ISSUE),
    note_award_routes(ISSUE),
    tracking_routes(ISSUE),
    *event_routes(ISSUE),
    todo_routes(ISSUE, FIND_ISSUE, find_issue),
]
