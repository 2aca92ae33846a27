"""Repositories as bundle files, for archives that tests make."""

from pathlib import Path

from ingot.gitstore import Repository
from ingot.gitstore.bundle import bundle_chunks


def write_bundle(repo: Repository, path: Path) -> bool:
    """All refs into a new file; False, and no file, when there is nothing to bundle."""
    chunks = bundle_chunks(repo)
    if chunks is None:
        return False
    with path.open("wb") as file:
        file.writelines(chunks)
    return True
