"""Addresses with a revision and a path: `feature/x/src/a.py`."""

from ingot.features.spaces.projects import repository_of
from ingot.gitstore.names import BRANCHES, TAGS
from ingot.gitstore.refs import find_ref
from ingot.kit.errors import ApiError, NotFound
from ingot.web.call import HIDDEN, PageCall

MOST_PARTS = 12


def split(call: PageCall, rest: str) -> tuple[str, str]:
    """Split into revision and path: the repository knows which prefix is a revision."""
    parts = [part for part in rest.split("/") if part]
    for count in range(1, min(len(parts), MOST_PARTS) + 1):
        name = "/".join(parts[:count])
        if is_revision(call, name):
            return name, "/".join(parts[count:])
    raise NotFound("Revision")


def branch_behind_tag(call: PageCall, name: str) -> str:
    """The whole name of a branch that has the name of a tag, which is what pages of that name show; else empty."""
    repository = repository_of(call.services, call.project)
    branch = BRANCHES + name
    if not repository.exists():  # that of a fork or an import comes later
        return ""
    return branch if find_ref(repository, TAGS + name) and find_ref(repository, branch) else ""


def is_branch(call: PageCall, name: str) -> bool:
    """There is such a branch."""
    return find_ref(repository_of(call.services, call.project), BRANCHES + name) is not None


def is_revision(call: PageCall, name: str) -> bool:
    """There is such a branch, tag or commit."""
    try:
        call.ask_without(("last_pipeline",), "/projects/:id/repository/commits/:sha", sha=name, stats=False)
    except ApiError as error:
        if error.status in HIDDEN:
            return False
        raise
    return True
