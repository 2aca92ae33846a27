"""Endpoints of issues, by what they do."""

from ingot.features.planning.issues.routes import conversation, issues, links, lists, moving, related

ROUTES = [
    lists.routes,
    issues.routes,
    related.routes,
    links.routes,
    moving.routes,
    *conversation.ROUTES,
]
