"""Endpoints of pipelines and jobs."""

from ingot.features.pipelines.routes import jobs, pipelines

ROUTES = [pipelines.routes, jobs.routes]
