"""Merge method `ff`: no commit is made, the target moves."""

from __future__ import annotations

from ingot.gitstore.errors import NotFastForward
from ingot.gitstore.objects import is_ancestor
from ingot.gitstore.repository import Repository


def fast_forward(repo: Repository, target: str, source: str) -> str:
    """The commit the target moves to. NotFastForward when the source lacks commits of the target."""
    if not is_ancestor(repo, target, source):
        raise NotFastForward
    return source
