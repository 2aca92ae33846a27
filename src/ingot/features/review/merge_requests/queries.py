"""Reading merge requests: the columns that every form needs, and single look-ups. Lists are in `listing`."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, select

from ingot.access.tables import projects
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.kit.errors import RecordNotFound

FEW = 500  # most values in one statement

# A merge request with columns of its target project.
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


# Used several times in a merge, and wide: built once.
_BY_ID = with_project().where(merge_requests.c.id == bindparam("request_id"))
_BY_IID = with_project().where(
    merge_requests.c.project_id == bindparam("in_project"), merge_requests.c.iid == bindparam("request_iid")
)


def find_by_iid(conn: Connection, project_id: int, iid: int) -> MergeRequestWithProject | None:
    """A request by its number in the project, or None."""
    return conn.execute(_BY_IID, {"in_project": project_id, "request_iid": iid}).one_or_none()


def find_by_id(conn: Connection, merge_request_id: int) -> MergeRequestWithProject | None:
    """A request by its global id, or None."""
    return conn.execute(_BY_ID, {"request_id": merge_request_id}).one_or_none()


_BY_IDS = with_project().where(merge_requests.c.id.in_(bindparam("request_ids", expanding=True)))


def find_by_ids(conn: Connection, ids: Collection[int]) -> list[MergeRequestWithProject]:
    """Requests of a page by their global ids."""
    return list(conn.execute(_BY_IDS, {"request_ids": list(ids)})) if ids else []


def get_by_id(conn: Connection, merge_request_id: int) -> MergeRequestWithProject:
    """A request by its global id; 404 where it is gone."""
    row = find_by_id(conn, merge_request_id)
    if row is None:
        raise RecordNotFound
    return row


_STATE = select(merge_requests.c.state).where(merge_requests.c.id == bindparam("request_id"))


def state_of(conn: Connection, merge_request_id: int) -> str | None:
    """The state of a request right now."""
    return conn.execute(_STATE, {"request_id": merge_request_id}).scalar_one_or_none()


_FROM = (
    with_project()
    .where(
        merge_requests.c.source_project_id == bindparam("in_project"),
        merge_requests.c.source_branch == bindparam("branch"),
        merge_requests.c.state == "opened",
    )
    .order_by(merge_requests.c.id)
)


def opened_from(conn: Connection, project_id: int, branch: str) -> list[MergeRequestWithProject]:
    """Open requests whose source is this branch."""
    return list(conn.execute(_FROM, {"in_project": project_id, "branch": branch}))


_NEWEST_OF_BRANCHES = (
    select(merge_requests.c.source_branch, merge_requests.c.iid, merge_requests.c.state)
    .where(
        merge_requests.c.source_project_id == bindparam("in_project"),
        merge_requests.c.project_id == bindparam("in_project"),
        merge_requests.c.source_branch.in_(bindparam("branches", expanding=True)),
    )
    .order_by(merge_requests.c.id)
)


def newest_of_branches(conn: Connection, project_id: int, branches: Collection[str]) -> dict[str, tuple[int, str]]:
    """Number and state of the newest request inside the project from each branch."""
    rows = conn.execute(_NEWEST_OF_BRANCHES, {"in_project": project_id, "branches": list(branches)})
    return {row.source_branch: (row.iid, row.state) for row in rows}


# Open requests whose target is the `branch` of `in_project`.
ARE_INTO = and_(
    merge_requests.c.project_id == bindparam("in_project"),
    merge_requests.c.target_branch == bindparam("branch"),
    merge_requests.c.state == "opened",
)
_ANY_INTO = select(merge_requests.c.id).where(ARE_INTO).limit(1)
_HEADS_INTO = (
    select(merge_requests.c.id, merge_requests.c.head_sha, merge_requests.c.commits_count, merge_requests.c.auto_merge)
    .where(ARE_INTO)
    .order_by(merge_requests.c.id)
)
_TOUCHED = _HEADS_INTO.where(
    merge_requests.c.head_sha.in_(bindparam("arrived", expanding=True)) | merge_requests.c.auto_merge
)


def has_into(conn: Connection, project_id: int, branch: str) -> bool:
    """Some open request has this branch as its target."""
    return conn.execute(_ANY_INTO, {"in_project": project_id, "branch": branch}).first() is not None


def touched_by(conn: Connection, project_id: int, branch: str, arrived: Collection[str]) -> list[Any]:
    """The open requests into this branch whose head is among the commits, or that wait for auto-merge."""
    place = {"in_project": project_id, "branch": branch}
    if len(arrived) <= FEW:
        return list(conn.execute(_TOUCHED, {**place, "arrived": list(arrived)}))
    return [row for row in conn.execute(_HEADS_INTO, place) if row.head_sha in arrived or row.auto_merge]


def opened_into(conn: Connection, project_id: int, branch: str) -> list[MergeRequestWithProject]:
    """Open requests whose target is this branch."""
    query = with_project().where(ARE_INTO).order_by(merge_requests.c.id)
    return list(conn.execute(query, {"in_project": project_id, "branch": branch}))


_STORAGE = select(projects.c.repository_storage).where(
    projects.c.id == bindparam("project_id"), ~projects.c.pending_delete
)


def storage_of(conn: Connection, project_id: int) -> str | None:
    """The storage of a project's repository; None while it is being deleted."""
    return conn.execute(_STORAGE, {"project_id": project_id}).scalar_one_or_none()
