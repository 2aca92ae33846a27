"""The commits that a push brought."""

from collections.abc import Sequence

from ingot.access.rows import ProjectRow
from ingot.events import RefChange
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Commit, GitError, log, refs
from ingot.gitstore.log import LogQuery
from ingot.kit.services import Services

MOST_COMMITS = 100


def pushed_commits(services: Services, project: ProjectRow, changes: Sequence[RefChange]) -> list[Commit]:
    """New commits of the pushed branches, oldest first; of a new branch, those missing in the default branch."""
    moved = [change for change in changes if change.branch is not None and not change.is_deletion]
    if not moved:
        return []
    repository = repository_of(services, project)
    default = project.default_branch or ""
    exclude = [change.old for change in moved if not change.is_creation]
    try:
        if len(moved) == len(exclude) == 1:
            return log.moved_commits(repository, moved[0].old, moved[0].new, limit=MOST_COMMITS)[::-1]
        if any(change.is_creation for change in moved) and default not in {change.branch for change in moved}:
            exclude += filter(None, [refs.find_branch(repository, default)])
        query = LogQuery(include=[change.new for change in moved], exclude=exclude, limit=MOST_COMMITS)
        return log.commits(repository, query)[::-1]
    except GitError:  # a later push removed these commits
        return []
