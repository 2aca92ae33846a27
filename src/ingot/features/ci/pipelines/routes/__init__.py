"""Endpoints of pipelines and jobs."""

from ingot.features.ci.pipelines.routes import jobs, merge_requests, pipelines

ROUTES = [pipelines.routes, jobs.routes, merge_requests.routes]
