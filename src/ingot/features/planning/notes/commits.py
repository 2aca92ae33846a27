"""Commits as a kind of noteable."""

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.planning.issuables import Commentable, Noteable
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, revisions
from ingot.kit.errors import NotFound
from ingot.kit.params import Param, Params


class OneCommit(Params):
    """The commit in the path."""

    sha: str = Param("Commit id, branch or tag.", required=True)


def repository(call: Call) -> Repository:
    """The repository of the call's project."""
    return repository_of(call.services, call.project)


def _find(call: Call[OneCommit]) -> Noteable:
    READ_CODE.require(call.actor, call.project)
    place = repository(call)
    sha = revisions.find(place, call.params.sha) if place.exists() else None
    if sha is None:
        raise NotFound("Commit")
    return Noteable("Commit", call.project, commit_id=sha)


COMMIT = Commentable(
    type="Commit",
    word="commit",
    title="commit",
    path="/projects/{id}/repository/commits/{sha}",
    number=OneCommit,
    find=_find,
)
