"""Patch ids: what a request changes, whatever it stands on. A pure rebase keeps it."""

import hashlib
from typing import Any

from ingot.features.merge_requests.commands import check
from ingot.gitstore import GitError, diff
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.kit.services import Services


def patch_id_of(services: Services, row: Any) -> str | None:
    """A digest of the request's diff without line numbers; None where it cannot be read."""
    if row.head_sha is None:
        return None
    repository = check.target_repository(services, row)
    digest = hashlib.sha1(usedforsecurity=False)
    try:
        found = diff.diff(repository, row.base_sha or EMPTY_TREE_ID, row.head_sha, limits=None)
    except GitError:
        return None
    for file in found.files:
        digest.update(f"{file.old_path}\0{file.new_path}\0{file.a_mode}\0{file.b_mode}\0".encode())
        for line in file.diff.splitlines():
            if not line.startswith("@@"):
                digest.update(line.encode(errors="surrogateescape") + b"\n")
    return digest.hexdigest()
