"""Endpoints of approvals and approval rules."""

from ingot.features.review.approvals.routes import (
    approvers,
    legacy,
    project_rules,
    request_rules,
    requests,
    rule_settings,
)

ROUTES = [
    requests.routes,
    request_rules.routes,
    project_rules.routes,
    legacy.routes,
    approvers.routes,
    rule_settings.routes,
]
