"""Named storages and the hashed folders below them: a rename of a project moves nothing on disk."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ingot.gitstore import handles, process, writers
from ingot.gitstore.errors import CommandFailed, GitError, NoSpace, RepositoryExists, StorageAway
from ingot.gitstore.names import branch_ref
from ingot.gitstore.refs_state import RefsState
from ingot.gitstore.repository import Repository
from ingot.kit.os_faults import AWAY, FULL
from ingot.kit.sources import note_source

if TYPE_CHECKING:
    from ingot.kit.services import Services

DEFAULT_BRANCH = "main"
MOVING = "moving"
"""In the name of an unfinished copy of a repository that moves here. `sweep` leaves it to whoever settles the move."""
_LOCKS = (".lock", ".tidying.lock")

# Written once at creation. Users never reach this file; what must hold at every call is in `process`.
_CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[gc]
\tauto = 0
"""


class Storages:
    """Maps a storage name and a project id to a repository."""

    def __init__(
        self,
        roots: Mapping[str, str | os.PathLike[str]],
        git_timeout: float = process.USUAL_SECONDS,
        git_memory: int = process.USUAL_MEMORY,
    ) -> None:
        self.git_timeout = git_timeout
        self.git_memory = git_memory
        self.roots = {name: Path(root) for name, root in roots.items()}

    @staticmethod
    def relative_path(project_id: int | str, kind: str = "") -> str:
        """`@hashed/ab/cd/<sha256 of the id>.git`; `kind` may be `wiki` or `design`."""
        digest = hashlib.sha256(str(project_id).encode()).hexdigest()
        return f"@hashed/{digest[:2]}/{digest[2:4]}/{digest}{'.' + kind if kind else ''}.git"

    @staticmethod
    def key_of_group(group_id: int) -> str:
        """What stands in the place of a project's id for repositories of a group."""
        return f"group-{group_id}"

    def root(self, storage: str) -> Path:
        try:
            return self.roots[storage]
        except KeyError:
            raise GitError(f"There is no repository storage named '{storage}'.") from None

    def repository(self, storage: str, project_id: int | str, kind: str = "") -> Repository:
        """The repository's place, whether or not it exists."""
        path = _place(self.root(storage), project_id, kind)
        note_source(lambda: RefsState(str(path)))
        return Repository(path, self.git_timeout, self.git_memory)

    def create(
        self, storage: str, project_id: int | str, kind: str = "", *, default_branch: str = DEFAULT_BRANCH
    ) -> Repository:
        """A new empty bare repository; appears complete or not at all."""
        repository = self.repository(storage, project_id, kind)
        create(repository, default_branch)
        return repository

    def fork(self, source: Repository, storage: str, project_id: int | str, kind: str = "") -> Repository:
        """A separate repository with the branches and tags of `source`.

        No objects are shared, so either can be deleted.
        """
        repository = self.repository(storage, project_id, kind)
        create(repository, source.default_branch() or DEFAULT_BRANCH)
        try:
            copy_refs(source, repository, ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"])
        except BaseException:
            delete(repository)
            raise
        return repository

    def sweep(self, older_than: float = 3600.0) -> int:
        """Remove what interrupted creations and deletions left behind; returns how many folders.

        Younger folders may belong to work that is still going on, here or on another node.
        """
        limit = time.time() - older_than
        removed = 0
        for leftover in self._leftovers():
            try:
                # A rename moves the change time, not the modification time.
                is_old = leftover.stat().st_ctime <= limit
            except FileNotFoundError:
                continue
            if is_old:
                shutil.rmtree(leftover, ignore_errors=True)
                removed += 1
        return removed

    def _leftovers(self) -> Iterator[Path]:
        for root in self.roots.values():
            yield from root.glob("@hashed/*/*/*.deleted-*")
            yield from root.glob("@hashed/*/*/*.new-*")


def storages_of(services: Services) -> Storages:
    """The storages of this instance."""
    storages = services.storages
    if not isinstance(storages, Storages):
        raise TypeError("services without repository storages")
    return storages


@lru_cache(1024)
def _place(root: Path, project_id: int | str, kind: str) -> Path:
    """Cached: almost every request about code asks, and a `Path` is slow to make."""
    return root / Storages.relative_path(project_id, kind)


def beside(repository: Repository) -> Repository:
    """The project's code, beside its wiki or designs."""
    path = repository.path
    return Repository(path.with_name(f"{path.name.partition('.')[0]}.git"), repository.seconds, repository.memory)


def create(repository: Repository, default_branch: str = DEFAULT_BRANCH) -> None:
    """Build beside the final place and rename, so that a crash leaves no half repository."""
    head = branch_ref(default_branch)
    if repository.path.exists():
        raise RepositoryExists
    staging = repository.path.with_name(f"{repository.path.name}.new-{uuid.uuid4().hex}")
    try:
        for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
            (staging / folder).mkdir(parents=True)
        for name in (writers.ENTRANCE, writers.INSIDE):
            (staging / name).touch(0o600)
        (staging / "config").write_text(_CONFIG)
        (staging / "HEAD").write_text(f"ref: {head}\n", "utf-8")
        staging.rename(repository.path)
    except OSError as error:
        shutil.rmtree(staging, ignore_errors=True)
        raise storage_error(error) from error


def delete(repository: Repository) -> None:
    """Rename it first: then nobody can open it, and a crash leaves only what `sweep` removes."""
    if not repository.path.parent.is_dir():
        return
    with repository.lock():
        aside = set_aside(repository)
    if aside is not None:
        shutil.rmtree(aside, ignore_errors=True)


def clear(repository: Repository) -> bool:
    """Delete it with all that broken-off work left beside it; False where something is still being written there."""
    path = repository.path
    if path.exists():
        delete(repository)
    for folder in _beside(path, "new", "deleted", MOVING):
        shutil.rmtree(folder, ignore_errors=True)
    for suffix in _LOCKS:
        path.with_suffix(suffix).unlink(missing_ok=True)
    return not path.exists() and not _beside(path, "new", "deleted", MOVING)


def clear_unfinished(repository: Repository) -> None:
    """Delete copies of a repository that was to move here, and then did not."""
    for folder in _beside(repository.path, MOVING):
        shutil.rmtree(folder, ignore_errors=True)


def _beside(path: Path, *words: str) -> list[Path]:
    return [folder for word in words for folder in path.parent.glob(f"{path.name}.{word}-*")]


def set_aside(repository: Repository) -> Path | None:
    """Rename it such that nobody finds it any more; the caller holds its lock. None: there is none."""
    doomed = repository.path.with_name(f"{repository.path.name}.deleted-{uuid.uuid4().hex}")
    try:
        repository.path.rename(doomed)
    except FileNotFoundError:
        return None
    finally:
        for suffix in _LOCKS:
            repository.path.with_suffix(suffix).unlink(missing_ok=True)
    handles.forget(str(repository.path))
    return doomed


def copy_refs(source: Repository, target: Repository, refspecs: list[str]) -> None:
    """Fetch from a repository of ours into another, objects and refs. The refspecs are never a user's text."""
    if not source.exists():
        raise GitError("The repository to copy from does not exist.")
    # The serving side starts with a cleared environment, hence its own -c options.
    serving = "git -c safe.directory=* -c core.hooksPath=/dev/null -c uploadpack.allowAnySHA1InWant=true upload-pack"
    try:
        with target.writing():
            target.git(
                "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
                f"--upload-pack={serving}", "--end-of-options", str(source.path), *refspecs,
                limits=process.LONG,
                config={"protocol.file.allow": "always", "fetch.unpackLimit": "100"},
            )  # fmt: skip
    except CommandFailed as error:
        raise GitError(f"The repository could not be copied: {error.stderr.strip()[-500:]}") from error


def storage_error(error: OSError) -> GitError:
    """What a fault of the file system means."""
    if error.errno in FULL:
        return NoSpace()
    if error.errno in AWAY:
        return StorageAway()
    if error.errno in (errno.EEXIST, errno.ENOTEMPTY):  # somebody else was first
        return RepositoryExists()
    return GitError(f"The repository storage failed: {error.strerror}")
