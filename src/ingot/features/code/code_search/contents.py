"""Which files are texts that can be searched."""

from ingot.gitstore import Repository, objects
from ingot.gitstore.sizes import IN_PROCESS

LARGEST = IN_PROCESS
_LOOKED_AT = 8000  # bytes, as git looks for a zero byte


def text_of(repository: Repository, sha: str) -> str | None:
    """The text of a content; None where it is binary, or too large to be searched."""
    size = objects.blob_size(repository, sha)
    if size is None or size > LARGEST:
        return None
    raw = objects.read_blob(repository, sha)
    return None if b"\0" in raw[:_LOOKED_AT] else raw.decode("utf-8", "replace").replace("\0", "\ufffd")
