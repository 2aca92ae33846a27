"""All commits of a source branch as one."""

from __future__ import annotations

from ingot.gitstore.commit_objects import write_commit
from ingot.gitstore.log import LogQuery, commit_ids
from ingot.gitstore.model import Person
from ingot.gitstore.objects import get_commit, merge_base
from ingot.gitstore.repository import Repository


def squash(
    repo: Repository, target: str, source: str, message: str, author: Person, committer: Person | None = None
) -> str:
    """One commit on the merge base with the content of `source`; without one it begins a history. Moves no ref.

    A single commit that already carries this message is returned as it is.
    """
    base = merge_base(repo, target, source)
    parents = [] if base is None else [base]
    head = get_commit(repo, source)
    if head.parent_ids == tuple(parents) and head.message.strip() == message.strip():
        return source
    if not commit_ids(repo, LogQuery(include=[source], exclude=parents, limit=1)):
        return source
    return write_commit(repo, head.tree_id, parents, message, author, committer)
