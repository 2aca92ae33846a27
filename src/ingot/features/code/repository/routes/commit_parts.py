"""Parts of a commit: diff, refs and sequence."""

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.code.repository.entities import FileDiffEntity, file_diff
from ingot.features.code.repository.opening import get_commit, open_repository
from ingot.features.code.repository.params.commits import CommitDiff, CommitRefs, Sequence
from ingot.features.code.repository.routes.commits import MEMBER, READ_COMMITS
from ingot.gitstore import listing, log
from ingot.gitstore.diff import DiffLimits, diff_of_commit
from ingot.gitstore.log import LogQuery
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity

routes = Routes("Commits", guard_first=True, waits=True)


class CommitRef(Entity):
    """A branch or tag that contains the commit."""

    type: str
    name: str


class CommitSequence(Entity):
    """How many commits lead to this one, itself included."""

    count: int


@routes.get(MEMBER + "/diff", guard=READ_COMMITS, params=CommitDiff, returns=list[FileDiffEntity])
def get_commit_diff(call: Call[CommitDiff]) -> Answer:
    """What the commit changed, against its first parent."""
    repository = open_repository(call)
    commit = get_commit(repository, call.path["sha"])
    result = diff_of_commit(repository, commit.id, limits=DiffLimits())
    unidiff = call.params.unidiff
    return call.page_of_list(result.files, lambda _call, part: [file_diff(entry, unidiff=unidiff) for entry in part])


@routes.get(MEMBER + "/refs", guard=READ_COMMITS, params=CommitRefs, returns=list[CommitRef])
def list_commit_refs(call: Call[CommitRefs]) -> Answer:
    """Branches and tags that contain the commit."""
    repository = open_repository(call)
    commit = get_commit(repository, call.path["sha"])
    result = listing.containing(repository, commit.id, call.params.type)
    return call.page_of_list(result, lambda _call, part: [CommitRef(type=kind, name=name) for kind, name in part])


@routes.get(MEMBER + "/sequence", guard=READ_CODE, params=Sequence, returns=CommitSequence)
def get_commit_sequence(call: Call[Sequence]) -> Answer:
    """The number of the commit in its history, counted from the first one."""
    repository = open_repository(call)
    commit = get_commit(repository, call.path["sha"])
    query = LogQuery(include=[commit.id], first_parent=call.params.first_parent)
    return CommitSequence(count=log.count(repository, query))
