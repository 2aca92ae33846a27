"""Branches of open merge requests from forks: the bundle does not contain them."""

import logging
from collections.abc import Iterable

from ingot.features.transfer.project_imports.values import Record, sha
from ingot.gitstore import GitError, Repository, refs
from ingot.gitstore.names import is_valid_branch
from ingot.kit.jobs.errors import is_transient

log = logging.getLogger("ingot.imports")


def is_from_fork(record: Record) -> bool:
    """The source was another project than the target."""
    return record.get("source_project_id") != record.get("target_project_id")


def restore_branches(repository: Repository, lines: Iterable[tuple[int, dict[str, object]]]) -> None:
    """The missing branches of open requests from forks. What git refuses is only logged, a second attempt is harmless.

    Requests inside the project are left alone: their branch was deleted by somebody.
    """
    if not repository.exists():
        return
    for _, record in lines:
        head = sha(record, "diff_head_sha")
        if record.get("state") != "opened" or head is None or not is_from_fork(record):
            continue
        _restore(repository, record.get("source_branch"), head)
        _restore(repository, record.get("target_branch"), sha(record, "target_branch_sha"))


def _restore(repository: Repository, name: object, commit: str | None) -> None:
    if commit is None or not isinstance(name, str) or not is_valid_branch(name):
        return
    if refs.find_branch(repository, name) is not None:
        return
    try:
        refs.create_branch(repository, name, commit)
    except GitError as error:
        if is_transient(error):  # a full disk, a busy repository
            raise
        log.warning("the branch of an imported merge request could not be made: %s", error.message)
