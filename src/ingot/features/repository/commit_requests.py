"""The merge requests of a commit: those whose commits include it, and the one that made it by merging."""

from sqlalchemy import or_, true

from ingot.features.merge_requests import merge_requests, with_project
from ingot.features.merge_requests.policy import READ_MERGE_REQUESTS
from ingot.features.merge_requests.present import present_list
from ingot.gitstore import Commit, Repository, objects, revisions
from ingot.gitstore.names import MERGE_REQUESTS
from ingot.kit.call import Call
from ingot.kit.pagination import Page


def requests_of(call: Call, repository: Repository, commit: Commit) -> Page:
    """A page of the requests that the caller may read."""
    held = merge_requests.c
    if not READ_MERGE_REQUESTS.held(call.actor, call.project):
        return call.page_of_list([], lambda _call, _part: [])
    made = or_(held.merge_commit_sha == commit.id, held.squash_commit_sha == commit.id)
    numbers = _containing(repository, commit)
    rows = call.conn.execute(
        with_project()
        .where(
            held.project_id == call.project.id,
            or_(made, held.iid.in_(numbers)),
            true() if call.params.state == "all" else held.state == call.params.state,
        )
        .order_by(held.id.desc())
    ).all()
    found = [row for row in rows if row.iid not in numbers or not _is_older(repository, commit, row.base_sha)]
    return call.page_of_list(found, lambda call, part: present_list(call, part, scope="project"))


def _containing(repository: Repository, commit: Commit) -> list[int]:
    """Numbers of the requests whose head has the commit in its history."""
    output = repository.git("for-each-ref", f"--contains={commit.id}", "--format=%(refname)", MERGE_REQUESTS).text
    parts = (line.removeprefix(MERGE_REQUESTS).split("/") for line in output.splitlines())
    return [int(part[0]) for part in parts if len(part) == 2 and part[1] == "head" and part[0].isdigit()]


def _is_older(repository: Repository, commit: Commit, base: str | None) -> bool:
    """The commit was in the target before the request began."""
    if base is None or not revisions.has_object(repository, base):
        return False
    return objects.is_ancestor(repository, commit.id, base)
