"""Folders, blobs by id, comparisons, merge bases and contributors."""

import base64
from collections.abc import Callable, Sequence
from typing import Any

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.code.repository.entities import CommitBasic, commit_basic
from ingot.features.code.repository.keyset import keyset_page
from ingot.features.code.repository.opening import default_branch, open_repository
from ingot.features.code.repository.params.trees import ListContributors, ListTree, MergeBase
from ingot.features.code.repository.sending import TOO_LARGE, send_blob
from ingot.gitstore import Repository, objects, revisions
from ingot.gitstore.authors import authors
from ingot.gitstore.errors import PathNotFound
from ingot.gitstore.model import TreeEntry as GitTreeEntry
from ingot.gitstore.sizes import LARGEST_SHOWN
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Failure, NotFound, ParamError

routes = Routes("Repositories", guard_first=True, waits=True)
BLOB = "/projects/{id}/repository/blobs/{sha}"

ORDERS: dict[str, Callable[[tuple[str, str, int]], Any]] = {
    "name": lambda entry: (entry[0].lower(), entry[1]),
    "email": lambda entry: (entry[1].lower(), entry[1]),
    "commits": lambda entry: (entry[2], entry[1]),
}


class TreeEntry(Entity):
    """A file, folder or submodule."""

    id: str
    name: str
    type: str
    path: str
    mode: str


class RepositoryBlob(Entity):
    """A blob with its content."""

    size: int
    encoding: str
    content: str
    sha: str


class Contributor(Entity):
    """Somebody who made commits."""

    name: str
    email: str
    commits: int
    additions: int
    deletions: int


@routes.get("/projects/{id}/repository/tree", guard=READ_CODE, params=ListTree, returns=list[TreeEntry])
def list_repository_tree(call: Call[ListTree]) -> Answer:
    """Files and folders of a revision."""
    options = call.params
    if options.pagination == "none" and not options.recursive:
        raise ParamError('pagination cannot be "none" unless "recursive" is true')
    repository = open_repository(call)
    sha = revisions.find(repository, options.ref or default_branch(call, repository))
    if sha is None:
        raise NotFound("Tree")
    try:
        result = objects.list_tree(repository, sha, options.path or "", recursive=options.recursive)
    except PathNotFound:
        raise NotFound("invalid revision or path") from None
    if options.pagination == "none":
        return _present(call, result)
    if options.pagination == "keyset":
        return keyset_page(call, result, _present, _keys(result, options.page_token))
    return call.page_of_list(result, _present)


def _present(_call: Call, part: Sequence[GitTreeEntry]) -> list[TreeEntry]:
    return [TreeEntry(id=e.id, name=e.name, type=e.type, path=e.path, mode=e.mode) for e in part]


def _keys(rows: Sequence[GitTreeEntry], token: str | None) -> list[str]:
    """Pages continue by path, which is unique; object ids are accepted too, as GitLab returns them."""
    paths = [entry.path for entry in rows]
    ids = [entry.id for entry in rows]
    return ids if token and token not in paths and token in ids else paths


@routes.get(BLOB, guard=READ_CODE, returns=RepositoryBlob)
def get_repository_blob(call: Call) -> Answer:
    """A blob by its id, content in base64. At most 10 MB; the raw form has no limit."""
    repository = open_repository(call)
    size = _size(call, repository)
    if size > LARGEST_SHOWN:
        raise Failure(413, TOO_LARGE)
    content = base64.b64encode(objects.read_blob(repository, call.path["sha"])).decode()
    return RepositoryBlob(size=size, encoding="base64", content=content, sha=call.path["sha"])


@routes.get(BLOB + "/raw", guard=READ_CODE, returns=Binary("text/plain"))
def get_raw_repository_blob(call: Call) -> Answer:
    """The bytes of a blob."""
    repository = open_repository(call)
    _size(call, repository)
    return send_blob(call, repository, call.path["sha"], "text/plain", {"Content-Disposition": "inline"})


def _size(call: Call, repository: Repository) -> int:
    size = objects.blob_size(repository, call.path["sha"])
    if size is None:
        raise NotFound("Blob")
    return size


@routes.get("/projects/{id}/repository/merge_base", guard=READ_CODE, params=MergeBase, returns=CommitBasic)
def get_merge_base(call: Call[MergeBase]) -> Answer:
    """The common ancestor of two or more commits."""
    names = call.params.refs
    if len(names) < 2:
        raise Failure(400, "Provide at least 2 refs")
    repository = open_repository(call)
    result = {name: revisions.find(repository, name) for name in names}
    missing = [name for name, sha in result.items() if sha is None]
    if missing:
        raise Failure(400, f"Could not find ref{'s' if len(missing) > 1 else ''}: {', '.join(missing)}")
    shas = list(dict.fromkeys(sha for sha in result.values() if sha is not None))
    base = shas[0] if len(shas) == 1 else objects.merge_base_of(repository, shas)
    if base is None:
        raise NotFound("Merge Base")
    return commit_basic(objects.get_commit(repository, base), call.base_url, call.project)


@routes.get(
    "/projects/{id}/repository/contributors", guard=READ_CODE, params=ListContributors, returns=list[Contributor]
)
def list_contributors(call: Call[ListContributors]) -> Answer:
    """Who made the commits of a revision. Lines are not counted: that would read every version of every file."""
    options = call.params
    repository = open_repository(call)
    sha = revisions.find(repository, options.ref or default_branch(call, repository))
    if sha is None:
        raise NotFound("Repository" if options.ref is None else "Ref")
    everybody = authors(repository, sha, call.services.shared_cache)
    read = [(author.name, author.email, len(author.times)) for author in everybody]
    people = sorted(read, key=ORDERS[options.order_by], reverse=options.sort == "desc")
    return call.page_of_list(
        people,
        lambda _call, part: [
            Contributor(name=name, email=email, commits=commits, additions=0, deletions=0)
            for name, email, commits in part
        ],
    )
