"""Endpoints of issues, by what they do."""

from ingot.features.issues.routes import around, conversation, issues, links, lists, moving

ROUTES = [
    lists.routes,
    issues.routes,
    around.routes,
    links.routes,
    moving.routes,
    *conversation.ROUTES,
]
