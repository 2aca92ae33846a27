"""Endpoints of merge requests, by what they do."""

from ingot.features.review.merge_requests.routes import (
    attention,
    context_commits,
    conversation,
    lists,
    merging,
    of_commit,
    reads,
    requests,
)

ROUTES = [
    lists.routes,
    requests.routes,
    merging.routes,
    reads.routes,
    attention.routes,
    context_commits.routes,
    of_commit.routes,
    *conversation.ROUTES,
]
