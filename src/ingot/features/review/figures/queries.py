"""Counting."""

from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Select, Table, func, literal, select, union_all

from ingot.access.tables import members, namespaces, projects
from ingot.features.people.users import user_keys
from ingot.features.planning.issues import issue_assignees, issues, readable_issues
from ingot.features.planning.milestones import milestones
from ingot.features.planning.notes import notes
from ingot.features.planning.todos import todos
from ingot.features.review.merge_requests import (
    merge_request_assignees,
    merge_request_reviewers,
    merge_requests,
    readable_merge_requests,
)
from ingot.features.spaces.snippets import snippets
from ingot.identity.tables import users
from ingot.kit.actor import Actor


def _count(table: Table, *conditions: ColumnElement[bool]) -> Select[int]:
    return select(func.count()).select_from(table).where(*conditions)


def work_of(conn: Connection, actor: Actor) -> dict[str, int]:
    """Counts of open issues and merge requests that the actor may read, and of to-do items."""

    def requests(people: Table) -> Select[Any]:
        joined = people.join(merge_requests, merge_requests.c.id == people.c.merge_request_id).join(
            projects, projects.c.id == merge_requests.c.project_id
        )
        is_open = (people.c.user_id == actor.id) & (merge_requests.c.state == "opened") & ~projects.c.archived
        return select(func.count()).select_from(joined).where(is_open, readable_merge_requests(actor))

    assigned = select(issue_assignees.c.issue_id).where(issue_assignees.c.user_id == actor.id)
    own = (
        select(func.count())
        .select_from(issues.join(projects, projects.c.id == issues.c.project_id))
        .where(issues.c.id.in_(assigned), issues.c.state == "opened", ~projects.c.archived, readable_issues(actor))
    )
    waiting = _count(todos, todos.c.user_id == actor.id, todos.c.state == "pending")
    return _values(
        conn,
        {
            "assigned_issues": own,
            "assigned_merge_requests": requests(merge_request_assignees),
            "review_requested_merge_requests": requests(merge_request_reviewers),
            "todos": waiting,
        },
    )


def belongings(conn: Connection, user_id: int) -> dict[str, int]:
    """Counts of a user's memberships and contributions."""
    return _values(
        conn,
        {
            "groups_count": _count(members, members.c.user_id == user_id, members.c.group_id.is_not(None)),
            "projects_count": _count(members, members.c.user_id == user_id, members.c.project_id.is_not(None)),
            "issues_count": _count(issues, issues.c.author_id == user_id),
            "merge_requests_count": _count(merge_requests, merge_requests.c.author_id == user_id),
        },
    )


def instance_totals(conn: Connection) -> dict[str, int]:
    """Record counts of the instance."""
    is_person = users.c.kind == "human"
    return _values(
        conn,
        {
            "forks": _count(projects, projects.c.forked_from_id.is_not(None)),
            "issues": _count(issues),
            "merge_requests": _count(merge_requests),
            "notes": _count(notes),
            "snippets": _count(snippets),
            "ssh_keys": _count(user_keys),
            "milestones": _count(milestones),
            "users": _count(users, is_person),
            "groups": _count(namespaces, namespaces.c.kind == "group"),
            "projects": _count(projects),
            "active_users": _count(users, is_person, users.c.state == "active"),
        },
    )


def _values(conn: Connection, counts: dict[str, Select[int]]) -> dict[str, int]:
    row = conn.execute(select(*(query.scalar_subquery().label(name) for name, query in counts.items()))).one()
    return {name: int(getattr(row, name)) for name in counts}


def memberships(user_id: int, kind: str | None) -> Select[Any]:
    """The projects and groups that a user is a direct member of."""

    def of(source: Table, column: Column[Any], word: str) -> Select[Any]:
        return (
            select(
                members.c.id,
                column.label("source_id"),
                source.c.name.label("source_name"),
                literal(word).label("source_type"),
                members.c.access_level,
            )
            .join_from(members, source, source.c.id == column)
            .where(members.c.user_id == user_id)
        )

    parts = {
        "Project": of(projects, members.c.project_id, "Project"),
        "Namespace": of(namespaces, members.c.group_id, "Namespace"),
    }
    joined = union_all(*(part for word, part in parts.items() if kind in (None, word))).subquery()
    return select(joined).order_by(joined.c.id)
