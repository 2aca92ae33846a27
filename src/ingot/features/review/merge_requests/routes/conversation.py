"""Notes, reactions, time, events and to-do items of merge requests."""

from ingot.features.planning.award_emoji import award_routes
from ingot.features.planning.notes import discussion_routes, note_award_routes, note_routes
from ingot.features.planning.resource_events import event_routes
from ingot.features.planning.time_tracking import tracking_routes
from ingot.features.planning.todos import todo_routes
from ingot.features.review.merge_requests.kind import MERGE_REQUEST
from ingot.features.review.merge_requests.lookup import find_then_authorize
from ingot.features.review.merge_requests.policy import FIND_MERGE_REQUEST

ROUTES = [
    note_routes(MERGE_REQUEST),
    discussion_routes(MERGE_REQUEST),
    award_routes(MERGE_REQUEST),
    note_award_routes(MERGE_REQUEST),
    tracking_routes(MERGE_REQUEST),
    *event_routes(MERGE_REQUEST),
    todo_routes(MERGE_REQUEST, FIND_MERGE_REQUEST, find_then_authorize),
]
