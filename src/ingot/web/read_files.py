"""Files as pages show them: what is known of them, their content or its beginning, and their last commit.

Read here and not asked for: the endpoint looks for the last commit as long as it takes.
"""

from contextlib import closing

from ingot.features.spaces.projects import repository_of
from ingot.gitstore import revisions
from ingot.gitstore.objects import blob_size, find_entry, list_tree, read_blob, stream_blob
from ingot.gitstore.repository import Repository
from ingot.gitstore.sizes import LARGEST_SHOWN
from ingot.web.answers import Commit, ShownFile
from ingot.web.call import PageCall
from ingot.web.last_commits import last_commits

BEGINNING = 512 * 1024


def read_file(call: PageCall, ref: str, path: str) -> tuple[ShownFile, bytes] | None:
    """A file with its content, or its first lines where it is long; None where the revision has no such file."""
    repository = repository_of(call.services, call.project)
    sha = revisions.find(repository, ref)
    entry = find_entry(repository, sha, path) if sha else None
    if sha is None or entry is None or entry.type != "blob":
        return None
    size = blob_size(repository, entry.id) or 0
    file: ShownFile = {
        "file_name": entry.name, "size": size, "commit_id": sha, "execute_filemode": entry.mode == "100755",
    }  # fmt: skip
    return file, read_blob(repository, entry.id) if size <= LARGEST_SHOWN else _beginning(repository, entry.id)


def _beginning(repository: Repository, blob_id: str) -> bytes:
    content = b""
    with closing(stream_blob(repository, blob_id)) as chunks:
        while len(content) < BEGINNING and (chunk := next(chunks, b"")):
            content += chunk
    # A sign that was cut would make another text of it.
    content = content[:BEGINNING]
    return content[: content.rfind(b"\n") + 1] or content


def changed_by(call: PageCall, sha: str, path: str) -> tuple[Commit | None, bool]:
    """The commit that changed a file last, if it is known, and whether it is still being looked for."""
    repository = repository_of(call.services, call.project)
    folder, _, name = path.rpartition("/")
    names = [entry.name for entry in list_tree(repository, sha, folder)]
    known, is_walking = last_commits(call, sha, folder, names, [name])
    if name not in known:
        return None, is_walking
    return call.ask("/projects/:id/repository/commits/:sha", sha=known[name]["sha"], stats=False), False
