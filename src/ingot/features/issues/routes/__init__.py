"""Endpoints of issues, by what they do."""

from ingot.features.issues.routes import around, issues, links, lists, merge_requests, milestones, moving

ROUTES = [
    lists.routes,
    issues.routes,
    around.routes,
    links.routes,
    moving.routes,
    merge_requests.routes,
    milestones.routes,
]
