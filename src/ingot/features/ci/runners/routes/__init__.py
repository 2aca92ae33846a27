"""Endpoints of runners: the protocol that they speak, and what people manage."""

from ingot.features.ci.runners.routes import artifacts, jobs, managing, places, registration

ROUTES = [jobs.routes, artifacts.routes, registration.routes, managing.routes, places.routes]
