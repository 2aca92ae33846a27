"""Which of a request's changed files the visitor has viewed; a mark ends when the file has another content."""

from collections.abc import Sequence

from ingot.features.review.viewed_files import viewed_blobs
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.errors import GitError
from ingot.gitstore.objects import find_entry
from ingot.web.answers import Diff
from ingot.web.call import PageCall
from ingot.web.sending import text
from ingot.web.shown_files import FileDiff

DELETED = "0" * 40  # what git calls the content of a file that is no more


def add_viewed(
    call: PageCall, files: Sequence[FileDiff], diffs: Sequence[Diff], request_id: int, head: str | None
) -> None:
    """Say of each file what its mark would be about, and fold those that are marked."""
    if call.session is None or call.actor.user_id is None or not head:
        return
    viewed = viewed_blobs(call.conn, request_id, call.actor.user_id)
    for file, diff in zip(files, diffs, strict=True):
        file.blob = DELETED if diff["deleted_file"] else _blob(call, head, file.path)
        file.is_viewed = bool(file.blob) and viewed.get(file.anchor) == file.blob
        is_asked = text(call, "comment").startswith(file.anchor) or text(call, "file") == file.anchor
        file.is_folded = not is_asked and (file.is_folded or file.is_viewed)


def _blob(call: PageCall, head: str, path: str) -> str:
    try:
        entry = find_entry(repository_of(call.services, call.project), head, path)
    except GitError:
        return ""
    return entry.id if entry is not None else ""
