"""Files that are too long to be read at once: what is known of them, and their beginning."""

from contextlib import closing

from ingot.features.spaces.projects import repository_of
from ingot.gitstore import log, revisions
from ingot.gitstore.objects import blob_size, find_entry, stream_blob
from ingot.web.answers import LongFile
from ingot.web.call import PageCall

BEGINNING = 512 * 1024


def long_file(call: PageCall, ref: str, path: str) -> tuple[LongFile, bytes] | None:
    """A file with its first lines; None where the revision has no such file."""
    repository = repository_of(call.services, call.project)
    sha = revisions.find(repository, ref)
    entry = find_entry(repository, sha, path) if sha else None
    if sha is None or entry is None or entry.type != "blob":
        return None
    content = b""
    with closing(stream_blob(repository, entry.id)) as chunks:
        while len(content) < BEGINNING and (chunk := next(chunks, b"")):
            content += chunk
    # A sign that was cut would make another text of it.
    content = content[:BEGINNING]
    content = content[: content.rfind(b"\n") + 1] or content
    return {
        "file_name": entry.name,
        "size": blob_size(repository, entry.id) or 0,
        "commit_id": sha,
        "last_commit_id": log.last_commit_of_path(repository, sha, entry.path) or sha,
        "execute_filemode": entry.mode == "100755",
    }, content
