"""Endpoints of merge requests, by what they do."""

from ingot.features.merge_requests.routes import lists, merging, requests

ROUTES = [lists.routes, requests.routes, merging.routes]
