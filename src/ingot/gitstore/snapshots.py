"""A handful of text files as a bundle with one commit, and the files of such a bundle."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path

from ingot.gitstore import refs
from ingot.gitstore.bundle import bundle_chunks, restore_bundle
from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.errors import BadBundle
from ingot.gitstore.model import Person
from ingot.gitstore.names import branch_ref
from ingot.gitstore.objects import list_tree, read_blob
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.sizes import LARGEST_SHOWN
from ingot.gitstore.storage import DEFAULT_BRANCH, create, delete
from ingot.gitstore.tree_edit import EXECUTABLE, FILE, Folder, split_path


def bundle_of_files(files: Mapping[str, str], author: Person) -> Generator[bytes]:
    """The files in one commit on the default branch, as a bundle piece by piece."""
    with tempfile.TemporaryDirectory(prefix="ingot-files-") as folder:
        repo = Repository(Path(folder) / "files.git")
        create(repo)
        try:
            root = Folder(repo, None)
            for path, content in files.items():
                root.put(split_path(path), FILE, write_blob(repo, content.encode()))
            commit = write_commit(repo, root.write(), [], "Add files", author)
            refs.update(repo, [RefUpdate(branch_ref(DEFAULT_BRANCH), commit)])
            yield from bundle_chunks(repo) or ()
        finally:
            delete(repo)


def files_of_bundle(path: Path, most: int, largest: int = LARGEST_SHOWN) -> dict[str, bytes]:
    """The plain files of a bundle's default branch by their paths. BadBundle when there are more than `most`."""
    with tempfile.TemporaryDirectory(prefix="ingot-files-") as folder:
        repo = Repository(Path(folder) / "files.git")
        create(repo)
        try:
            branch = restore_bundle(repo, path)
            commit = refs.find_branch(repo, branch) if branch is not None else None
            entries = list_tree(repo, commit, recursive=True) if commit is not None else []
            blobs = [entry for entry in entries if entry.mode in (FILE, EXECUTABLE)]
            if len(blobs) > most:
                raise BadBundle(f"The bundle has more than {most} files.")
            return {entry.path: read_blob(repo, entry.id, largest) for entry in blobs}
        finally:
            delete(repo)
