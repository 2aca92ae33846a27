"""Endpoints of environments and deployments."""

from ingot.features.environments.routes import deployments, environments

ROUTES = [environments.routes, deployments.routes]
