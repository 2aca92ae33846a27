"""Reading merge requests: the columns that every form needs, and single look-ups. Lists are in `listing`."""

from typing import Any

from sqlalchemy import Connection, Select, select

from ingot.access.tables import projects
from ingot.features.merge_requests.tables import merge_requests

# A request with what its target project says about it.
COLUMNS = (
    *merge_requests.c,
    projects.c.full_path.label("project_path"),
    projects.c.namespace_id.label("project_namespace_id"),
    projects.c.settings.label("project_settings"),
    projects.c.default_branch.label("project_default_branch"),
    projects.c.archived.label("project_archived"),
    projects.c.repository_storage.label("project_repository_storage"),
)


def with_project() -> Select[Any]:
    """Merge requests joined with their target project."""
    return select(*COLUMNS).join_from(merge_requests, projects, projects.c.id == merge_requests.c.project_id)


def find_by_iid(conn: Connection, project_id: int, iid: int) -> Any:
    """A request by its number in the project, or None."""
    found = with_project().where(merge_requests.c.project_id == project_id, merge_requests.c.iid == iid)
    return conn.execute(found).one_or_none()


def find_by_id(conn: Connection, merge_request_id: int) -> Any:
    """A request by its global id, or None."""
    return conn.execute(with_project().where(merge_requests.c.id == merge_request_id)).one_or_none()


def opened_from(conn: Connection, project_id: int, branch: str) -> list[Any]:
    """Open requests whose source is this branch."""
    found = with_project().where(
        merge_requests.c.source_project_id == project_id,
        merge_requests.c.source_branch == branch,
        merge_requests.c.state == "opened",
    )
    return list(conn.execute(found.order_by(merge_requests.c.id)))


def heads_into(conn: Connection, project_id: int, branch: str) -> list[Any]:
    """Open requests whose target is this branch, with no more than a push to it needs to know."""
    found = select(
        merge_requests.c.id, merge_requests.c.head_sha, merge_requests.c.commits_count, merge_requests.c.auto_merge
    ).where(
        merge_requests.c.project_id == project_id,
        merge_requests.c.target_branch == branch,
        merge_requests.c.state == "opened",
    )
    return list(conn.execute(found.order_by(merge_requests.c.id)))


def opened_into(conn: Connection, project_id: int, branch: str) -> list[Any]:
    """Open requests whose target is this branch."""
    found = with_project().where(
        merge_requests.c.project_id == project_id,
        merge_requests.c.target_branch == branch,
        merge_requests.c.state == "opened",
    )
    return list(conn.execute(found.order_by(merge_requests.c.id)))


def storage_of(conn: Connection, project_id: int) -> str | None:
    """The storage of a project's repository; None while it is being deleted."""
    found = select(projects.c.repository_storage).where(projects.c.id == project_id, ~projects.c.pending_delete)
    return conn.execute(found).scalar_one_or_none()
