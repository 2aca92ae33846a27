"""Endpoints of environments and deployments."""

from ingot.features.ci.environments.routes import approvals, cleaning, deployments, environments

ROUTES = [cleaning.routes, environments.routes, deployments.routes, approvals.routes]
