"""Unassigns users who leave from the issues and merge requests of a group or project."""

from typing import Any

from sqlalchemy import Connection, delete, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.people.members import Source, when_unassigned
from ingot.features.planning.issuables import kinds


@when_unassigned
def unassign(tx: Connection, source: Source, user_id: int) -> None:
    """Remove the user as assignee and reviewer everywhere inside."""
    inside = _projects(source)
    for kind in kinds():
        issuables = select(kind.table.c.id).where(kind.table.c.project_id.in_(inside))
        for links in (kind.assignees, kind.reviewers):
            if links is not None:
                tx.execute(delete(links).where(links.c.user_id == user_id, links.c[kind.key].in_(issuables)))


def _projects(source: Source) -> Any:
    if not source.is_group:
        return [source.id]
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == source.id)
    return select(projects.c.id).where(projects.c.namespace_id.in_(below))
