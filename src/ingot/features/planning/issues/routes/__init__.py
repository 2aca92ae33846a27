"""Endpoints of issues, by what they do."""

from ingot.features.planning.issues.routes import around, conversation, issues, links, lists, moving

ROUTES = [
    lists.routes,
    issues.routes,
    around.routes,
    links.routes,
    moving.routes,
    *conversation.ROUTES,
]
