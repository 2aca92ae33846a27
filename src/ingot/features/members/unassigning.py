"""Taking somebody who leaves off the issues and merge requests of a group or project."""

from typing import Any

from sqlalchemy import Connection, delete, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.issues import issue_assignees, issues
from ingot.features.members.source import Source
from ingot.features.merge_requests import merge_request_assignees, merge_request_reviewers, merge_requests


def unassign(tx: Connection, source: Source, user_id: int) -> None:
    """Remove the user as assignee and reviewer everywhere inside."""
    inside = _projects(source)
    requests = select(merge_requests.c.id).where(merge_requests.c.project_id.in_(inside))
    for table in (merge_request_assignees, merge_request_reviewers):
        tx.execute(delete(table).where(table.c.user_id == user_id, table.c.merge_request_id.in_(requests)))
    tickets = select(issues.c.id).where(issues.c.project_id.in_(inside))
    tx.execute(
        delete(issue_assignees).where(issue_assignees.c.user_id == user_id, issue_assignees.c.issue_id.in_(tickets))
    )


def _projects(source: Source) -> Any:
    if not source.is_group:
        return [source.id]
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == source.id)
    return select(projects.c.id).where(projects.c.namespace_id.in_(below))
