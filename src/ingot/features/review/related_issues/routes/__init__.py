"""Endpoints of related issues and merge requests."""

from ingot.features.review.related_issues.routes import burndown, of_issue, of_merge_request, of_milestone

ROUTES = [of_issue.routes, of_merge_request.routes, of_milestone.routes, burndown.routes]
