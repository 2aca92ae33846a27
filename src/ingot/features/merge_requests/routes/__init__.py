"""Endpoints of merge requests, by what they do."""

from ingot.features.merge_requests.routes import attention, lists, merging, reads, requests

ROUTES = [lists.routes, requests.routes, merging.routes, reads.routes, attention.routes]
