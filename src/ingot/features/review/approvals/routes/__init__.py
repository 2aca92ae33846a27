"""Endpoints of approvals and approval rules."""

from ingot.features.review.approvals.routes import legacy, project_rules, request_rules, requests

ROUTES = [requests.routes, request_rules.routes, project_rules.routes, legacy.routes]
