"""The newest commit of each entry of a folder, as the templates show it."""

from collections.abc import Collection

from ingot.features.spaces.projects import repository_of
from ingot.gitstore.last_commits import last_commits as walk
from ingot.web.call import PageCall


def last_commits(
    call: PageCall, sha: str, folder: str, names: Collection[str], wanted: Collection[str]
) -> tuple[dict[str, dict[str, str]], bool]:
    """By name, as far as they are known after a moment, or those that are wanted; and whether more of them come."""
    repository, shared = repository_of(call.services, call.project), call.services.shared_cache
    result = walk(repository, sha, folder, names, wanted, shared=shared)
    known = {
        name: {"sha": commit.sha, "subject": commit.subject, "when": commit.when.isoformat()}
        for name, commit in result.commits.items()
    }
    return known, not result.is_over
