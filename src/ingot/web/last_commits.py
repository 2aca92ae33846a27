"""The newest commit of each entry of a folder, as the templates show it."""

from ingot.features.spaces.projects import repository_of
from ingot.gitstore.errors import GitError
from ingot.gitstore.last_commits import last_commits as walk
from ingot.web.call import PageCall


def last_commits(call: PageCall, sha: str, folder: str, names: list[str]) -> dict[str, dict[str, str]]:
    """By name; empty where git takes too long, since a folder is shown without them too."""
    repository = repository_of(call.services, call.project)
    try:
        result = walk(repository, sha, folder, names)
    except GitError:
        return {}
    return {
        name: {"sha": commit.sha, "subject": commit.subject, "when": commit.when.isoformat()}
        for name, commit in result.items()
    }
