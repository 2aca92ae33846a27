"""The merge requests of a commit: those that contain it, and the one whose merge created it."""

from sqlalchemy import or_, true

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.review.merge_requests.entities import MergeRequestBasic, MergeRequestSimple
from ingot.features.review.merge_requests.params import CommitRequests
from ingot.features.review.merge_requests.policy import READ_MERGE_REQUESTS
from ingot.features.review.merge_requests.present import present_list
from ingot.features.review.merge_requests.queries import with_project
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, objects, revisions
from ingot.gitstore.names import MERGE_REQUESTS
from ingot.kit.endpoint import Answer, OneOf, Routes
from ingot.kit.errors import NotFound

routes = Routes("Commits", guard=READ_CODE, guard_first=True, waits=True)


@routes.get(
    "/projects/{id}/repository/commits/{sha}/merge_requests",
    params=CommitRequests,
    returns=OneOf(list[MergeRequestBasic], list[MergeRequestSimple]),
)
def list_commit_merge_requests(call: Call[CommitRequests]) -> Answer:
    """Merge requests that contain this commit."""
    READ_MERGE_REQUESTS.require(call.actor, call.project)
    repository = repository_of(call.services, call.project)
    sha = revisions.find(repository, call.path["sha"]) if repository.exists() else None
    if sha is None:
        raise NotFound("Commit")
    columns = merge_requests.c
    created = or_(columns.merge_commit_sha == sha, columns.squash_commit_sha == sha)
    numbers = _containing(repository, sha)
    rows = call.conn.execute(
        with_project()
        .where(
            columns.project_id == call.project.id,
            or_(created, columns.iid.in_(numbers)),
            true() if call.params.state == "all" else columns.state == call.params.state,
        )
        .order_by(columns.id.desc())
    ).all()
    result = [row for row in rows if row.iid not in numbers or not _is_older(repository, sha, row.base_sha)]
    return call.page_of_list(result, lambda call, part: present_list(call, part, scope="project"))


def _containing(repository: Repository, sha: str) -> list[int]:
    """Numbers of the requests whose head has the commit in its history."""
    output = repository.git("for-each-ref", f"--contains={sha}", "--format=%(refname)", MERGE_REQUESTS).text
    parts = (line.removeprefix(MERGE_REQUESTS).split("/") for line in output.splitlines())
    return [int(part[0]) for part in parts if len(part) == 2 and part[1] == "head" and part[0].isdigit()]


def _is_older(repository: Repository, sha: str, base: str | None) -> bool:
    """The commit was in the target before the request began."""
    if base is None or not revisions.has_object(repository, base):
        return False
    return objects.is_ancestor(repository, sha, base)
