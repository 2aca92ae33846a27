"""What else stands against a merge: files that somebody else locked in Git LFS, and a repository that is too large."""

from sqlalchemy import Connection

from ingot.features.code.lfs_locks import has_locks_of_others, refuse_locked_paths
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.mergeability import settings_of
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.features.spaces.projects import find_size_limit, offers_lfs
from ingot.gitstore import diff
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.kit.services import Services

LOCKED, TOO_LARGE = "locked_lfs_files", "repository_size_limit"


def find_locked(services: Services, conn: Connection, row: MergeRequestWithProject) -> str | None:
    """Why a checked request cannot be merged: a path that it changes is locked by another than its author."""
    if row.head_sha is None or not has_locks_of_others(conn, row.project_id, row.author_id):
        return None
    if not offers_lfs(services, conn, settings_of(row), row.project_namespace_id):
        return None
    changed = diff.changed_paths(check.target_repository(services, row), row.base_sha or EMPTY_TREE_ID, row.head_sha)
    paths = sorted({path for one in changed for path in (one.old_path, one.new_path)})
    return refuse_locked_paths(conn, row.project_id, row.author_id, paths)


def find_excess(conn: Connection, row: MergeRequestWithProject) -> str | None:
    """Why nothing can be merged into a repository above its size limit."""
    limit = find_size_limit(conn, row.project_id)
    return limit.refuse_merge() if limit is not None and limit.is_exceeded else None
