"""One bare repository: its place, lock and in-process handle. Operations live in the sibling modules."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO

import pygit2
from pygit2.enums import ConfigLevel, ObjectType, Option

from ingot.gitstore import handles, locks, process, writers
from ingot.gitstore.environment import Config
from ingot.gitstore.errors import RepositoryNotFound, StorageAway
from ingot.gitstore.handles import Handle
from ingot.gitstore.names import BRANCHES, branch_ref, is_sha

LARGEST_OBJECT = 5_000_000
"""Bytes of a commit, tree or tag that is read at once, while no other thread works: a tree of about 125,000 entries."""

pygit2.settings.owner_validation = False
# Computing the name of each object that is read takes most of the time, in which no other thread works: a quarter of a
# second for a large folder. Git itself leaves it to `fsck`, and what arrives is checked when it arrives.
pygit2.option(Option.ENABLE_STRICT_HASH_VERIFICATION, False)
for _level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
    pygit2.settings.search_path[_level] = ""


_shared: ContextVar[dict[tuple[int, Path], Handle] | None] = ContextVar("shared_handles", default=None)


@contextmanager
def sharing_handles() -> Iterator[None]:
    """All `Repository` values of one place use one libgit2 handle inside: work of many steps opens it once."""
    if _shared.get() is not None:
        yield
        return
    opened: dict[tuple[int, Path], Handle] = {}
    token = _shared.set(opened)
    try:
        yield
    finally:
        _shared.reset(token)
        for handle in opened.values():
            handles.give_back(handle)


class Repository:
    """A bare repository at `path`. Cheap to make, safe to share between threads (one libgit2 handle per thread)."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        seconds: float = process.USUAL_SECONDS,
        memory: int = process.USUAL_MEMORY,
    ) -> None:
        self.path = path if isinstance(path, Path) else Path(path)
        # What a command may take unless it has limits of its own.
        self.seconds = seconds
        self.memory = memory
        self._handles: dict[int, Handle] = {}  # by thread

    def __del__(self) -> None:
        for handle in self._handles.values():
            handles.give_back(handle)

    def __repr__(self) -> str:
        return f"Repository({str(self.path)!r})"

    @property
    def odb(self) -> pygit2.Repository:
        """libgit2's view, for reading without starting a process."""
        thread = threading.get_ident()
        handle = self._handles.get(thread)
        if handle is None:
            shared, key = _shared.get(), (thread, self.path)
            if shared is not None and key in shared:
                return shared[key].git
            handle = handles.take(str(self.path))
            if shared is not None:
                shared[key] = handle
            else:
                self._handles[thread] = handle
        return handle.git

    def find_object(self, sha: str) -> object | None:
        """The commit, tree or tag with this full id; callers narrow it by class. None for blobs and for objects that
        are too large to be read at once."""
        if not is_sha(sha):
            return None
        git = self.odb
        try:
            kind, size = git.odb.read_header(sha)
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return git.get(sha) if kind != ObjectType.BLOB and size <= LARGEST_OBJECT else None

    def git(
        self,
        *args: str,
        stdin: bytes | IO[bytes] | None = None,
        limits: process.Limits = process.DEFAULT,
        env: Mapping[str, str] | None = None,
        config: Config | None = None,
        accept: Sequence[int] = (0,),
    ) -> process.Result:
        allowed = limits.within(self.seconds, self.memory)
        return process.run(self.path, args, stdin=stdin, limits=allowed, env=env, config=config, accept=accept)

    def lock(self, seconds: float = 30.0) -> AbstractContextManager[None]:
        """Exclude every other writer that takes this lock, in any process on any node."""
        return self._lock_file(".lock", seconds)

    def tidying(self, seconds: float = 30.0) -> AbstractContextManager[None]:
        """Exclude everybody else who tidies or moves the repository; writers go on."""
        return self._lock_file(".tidying.lock", seconds)

    def writing(self) -> AbstractContextManager[None]:
        """Refs move inside the block: the repository is not moved to another storage meanwhile. Not re-entrant."""
        return writers.writing(self.path)

    def _lock_file(self, suffix: str, seconds: float) -> AbstractContextManager[None]:
        if not self.path.parent.is_dir():
            raise RepositoryNotFound
        return locks.lock(self.path.with_suffix(suffix), seconds)

    def exists(self) -> bool:
        """StorageAway where nobody can say, which is another answer than no."""
        try:
            os.stat(f"{self.path}/HEAD")  # noqa: PTH116 - asked for often, and a third of the cost of a Path's
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise StorageAway from error
        return True

    def is_empty(self) -> bool:
        """True while there is no branch. Looks for the first one only, however many there are."""
        for _, _, files in os.walk(self.path / "refs" / "heads", onerror=_unless_missing):
            if any(not name.endswith(".lock") for name in files):
                return False
        try:
            with (self.path / "packed-refs").open("rb") as packed:
                return not any(line[41:52] == b"refs/heads/" for line in packed)
        except FileNotFoundError:
            return True

    def default_branch(self) -> str:
        """The branch HEAD names, whether or not it exists yet."""
        head = (self.path / "HEAD").read_text("utf-8", "replace").strip() if self.exists() else ""
        return head.removeprefix("ref: ").removeprefix(BRANCHES)

    def set_default_branch(self, name: str) -> None:
        with self.writing():
            self.git("symbolic-ref", "HEAD", branch_ref(name))

    def size(self) -> int:
        """Bytes on disk."""
        return size_of(self.path)


def size_of(folder: Path) -> int:
    """Bytes of the files in a folder and below, without what git is still writing: a push may be refused yet."""
    total, pending = 0, [str(folder)]
    while pending:
        with suppress(FileNotFoundError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("tmp_"):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                    continue
                with suppress(FileNotFoundError):  # git replaced it while we were counting
                    total += entry.stat(follow_symlinks=False).st_size
    return total


def _unless_missing(error: OSError) -> None:
    """A folder that is not there, or no longer, has no branches; of one that cannot be read nobody knows."""
    if not isinstance(error, FileNotFoundError):
        raise StorageAway from error
