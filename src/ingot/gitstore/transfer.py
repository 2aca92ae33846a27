"""Copies commits between repositories of ours: merge requests from forks, commits that start elsewhere."""

from __future__ import annotations

from ingot.gitstore import revisions
from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.names import KEEP_AROUND, checked_ref, is_sha
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import copy_refs


def fetch_commit(source: Repository, target: Repository, sha: str, ref: str | None = None) -> str:
    """Make commit `sha` of `source` available in `target`, held by `ref` (a keep-around ref unless given).

    Costs nothing when `target` has it already and no `ref` was asked for.
    """
    if not is_sha(sha):
        raise RevisionNotFound(sha)
    if ref is None and (source.path == target.path or revisions.has_object(target, sha)):
        return sha
    if not revisions.has_object(source, sha):
        raise RevisionNotFound(sha)
    copy_refs(source, target, [f"+{sha}:{checked_ref(ref or KEEP_AROUND + sha)}"])
    return sha
