"""What a request changes, as git stores it: object ids and modes against the merge base. A pure rebase keeps it."""

import hashlib

from ingot.features.review.merge_requests import MergeRequestRow, MergeRequestWithProject, target_repository
from ingot.gitstore import GitError, Repository, diff, objects
from ingot.gitstore.model import EMPTY_TREE_ID, text
from ingot.kit.services import Services


def patch_id_of(services: Services, row: MergeRequestWithProject) -> str | None:
    """A digest of the changed files; None if they cannot be read."""
    if row.head_sha is None or row.start_sha is None:
        return None
    repository = target_repository(services, row)
    try:
        # A merge looks at all common ancestors, so one of them alone does not say what the request changes.
        bases = objects.merge_bases(repository, row.start_sha, row.head_sha) or [EMPTY_TREE_ID]
        digests = [diff.digest_of_entries(repository, base, row.head_sha) for base in bases]
    except GitError:
        return None
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()


def changed_files(repository: Repository, before: MergeRequestRow, after: MergeRequestRow) -> set[str]:
    """Files that a request changes otherwise after a change of its head or base than before."""
    old = _entries(repository, before)
    new = _entries(repository, after)
    return {text(path) for path in old.keys() | new.keys() if old.get(path) != new.get(path)}


def _entries(repository: Repository, row: MergeRequestRow) -> dict[bytes, bytes]:
    if row.head_sha is None:
        return {}
    return diff.changed_entries(repository, row.base_sha or EMPTY_TREE_ID, row.head_sha)
