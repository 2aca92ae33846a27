"""Reading issues: the columns that every form needs, and single look-ups. Lists are in `listing`."""

from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.tables import projects
from ingot.features.planning.issues.policy import is_assigned, readable_issues
from ingot.features.planning.issues.rows import IssueWithAssignee, IssueWithProject
from ingot.features.planning.issues.tables import issues
from ingot.kit.actor import Actor
from ingot.kit.errors import RecordNotFound

# An issue with columns of its project.
COLUMNS = (
    *issues.c,
    projects.c.full_path.label("project_path"),
    projects.c.namespace_id.label("project_namespace_id"),
    projects.c.archived.label("project_archived"),
    projects.c.default_branch.label("project_default_branch"),
    projects.c.repository_storage.label("project_repository_storage"),
)


def with_project() -> Select[Any]:
    """Issues joined with their project."""
    return select(*COLUMNS).join_from(issues, projects, projects.c.id == issues.c.project_id)


def find_readable(conn: Connection, actor: Actor, project_id: int, iid: int) -> IssueWithAssignee | None:
    """An issue by its number, if the actor may read it; with `is_assignee` for the actor."""
    values = {"in_project": project_id, "number": iid, **actor_values(actor)}
    return conn.execute(_readable_query(kind_of(actor)), values).one_or_none()


@cache
def _readable_query(kind: ActorKind) -> Select[Any]:
    actor = kind.anybody()
    is_assignee = is_assigned(0 if kind.is_anonymous else actor.user_id)
    return (
        with_project()
        .add_columns(is_assignee.label("is_assignee"))
        .where(
            readable_issues(actor), issues.c.project_id == bindparam("in_project"), issues.c.iid == bindparam("number")
        )
    )


_BY_ID = with_project().where(issues.c.id == bindparam("issue"))


def find_by_id(conn: Connection, issue_id: int) -> IssueWithProject | None:
    """An issue by its global id, or None."""
    return conn.execute(_BY_ID, {"issue": issue_id}).one_or_none()


def get_by_id(conn: Connection, issue_id: int) -> IssueWithProject:
    """An issue by its global id; 404 where it is gone."""
    row = find_by_id(conn, issue_id)
    if row is None:
        raise RecordNotFound
    return row
