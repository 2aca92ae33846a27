"""Commits made through the API from a list of file actions, without a working copy."""

from __future__ import annotations

import binascii
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from ingot.gitstore import refs
from ingot.gitstore.base64_text import decode_base64
from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.errors import (
    BranchAlreadyExists,
    CommitRefused,
    DirectoryAlreadyExists,
    FileAlreadyExists,
    FileDoesNotExist,
    InvalidContent,
    InvalidPath,
    InvalidStartSha,
    NotOnABranch,
    RefChanged,
    StaleFile,
    StartShaNotFound,
    SubmoduleChange,
)
from ingot.gitstore.log import last_commit_of_path
from ingot.gitstore.model import ZERO_ID, Person
from ingot.gitstore.names import branch_ref, is_sha
from ingot.gitstore.new_objects import pointer_name
from ingot.gitstore.object_checks import NewEntry, check_entries
from ingot.gitstore.objects import get_commit
from ingot.gitstore.pointers import large_files
from ingot.gitstore.refs import RefUpdate, find_branch
from ingot.gitstore.repository import Repository
from ingot.gitstore.revisions import find
from ingot.gitstore.transfer import fetch_commit
from ingot.gitstore.tree_edit import EXECUTABLE, FILE, SUBMODULE, Folder, split_path
from ingot.kit.spool import Spool

_ATTEMPTS = 5
MOVE_SUBMODULE = "move_submodule"  # an action of its own endpoint


class FileAction(msgspec.Struct, frozen=True):
    """`action`: create, update, delete, move or chmod. `content` is text, or base64 when `encoding` says so."""

    action: str
    file_path: str
    content: str | bytes | Spool | None = None
    encoding: str = "text"
    previous_path: str | None = None
    last_commit_id: str | None = None
    execute_filemode: bool | None = None


StoreLarge = Callable[["bytes | Spool"], bytes]


class CommitOptions(msgspec.Struct, frozen=True):
    """`start_branch` or `start_sha` begin a new branch; `start_repository` is where they live if not here."""

    branch: str
    message: str
    actions: Sequence[FileAction]
    author: Person
    committer: Person | None = None
    start_branch: str | None = None
    start_sha: str | None = None
    start_repository: Repository | None = None
    force: bool = False
    store_large: StoreLarge | None = None
    """Stores the content of a file that `.gitattributes` put into Git LFS; returns the pointer to it."""


class CreatedCommit(msgspec.Struct, frozen=True):
    sha: str
    ref: str
    old: str
    """What the branch pointed to before, ZERO_ID when it is new."""


def create_commit(
    repo: Repository, options: CommitOptions, before_move: Callable[[str, str, str], None] | None = None
) -> CreatedCommit:
    """Make the commit and move the branch. Raises a CommitRefused with the text for the user, or InvalidRefName.

    `before_move` is called with the ref, its old and its new value before each attempt to move it.
    """
    for attempt in range(_ATTEMPTS):
        with repo.lock():
            created = prepare_commit(repo, options)
            if before_move is not None:
                before_move(created.ref, created.old, created.sha)
            try:
                refs.update(repo, [RefUpdate(created.ref, created.sha, created.old)])
            except RefChanged:
                # A push moved the branch, because pushes do not take our lock: check its content again.
                if attempt == _ATTEMPTS - 1:
                    raise
                continue
            return created
    raise AssertionError("unreachable")


def prepare_commit(repo: Repository, options: CommitOptions) -> CreatedCommit:
    """Make the commit object only; the caller moves the branch from `old` to `sha`."""
    ref = branch_ref(options.branch)
    old = find_branch(repo, options.branch)
    parent = _parent(repo, options, old)
    root = Folder(repo, get_commit(repo, parent).tree_id if parent else None)
    added: list[NewEntry] = []
    large = _large(repo, parent, options.actions) if options.store_large is not None else frozenset()
    for action in options.actions:
        store = options.store_large if action.file_path in large else None
        _APPLY.get(action.action, _unknown)(_Step(repo, root, parent, action, added, store))
    check_entries(repo, added)
    parents = [parent] if parent else []
    sha = write_commit(repo, root.write(), parents, options.message, options.author, options.committer)
    return CreatedCommit(sha, ref, old or ZERO_ID)


def _large(repo: Repository, parent: str | None, actions: Sequence[FileAction]) -> frozenset[str]:
    """The paths, as the actions write them, whose content goes into Git LFS."""
    names: dict[str, str] = {}
    for action in actions:
        if action.content is not None:
            with suppress(InvalidPath):  # refused in its turn
                names[action.file_path] = b"/".join(split_path(action.file_path)).decode()
    large = large_files(repo, parent, names.values())
    return frozenset(written for written, path in names.items() if path in large)


def _parent(repo: Repository, options: CommitOptions, old: str | None) -> str | None:
    starts_elsewhere = options.start_branch is not None or options.start_sha is not None
    if old is not None and (
        not starts_elsewhere or (options.start_branch == options.branch and not options.start_repository)
    ):
        return old
    if old is not None and not options.force:
        raise BranchAlreadyExists(options.branch)
    if options.start_sha is not None:
        return _start_sha(repo, options)
    if options.start_branch is not None:
        source = options.start_repository or repo
        start = find_branch(source, options.start_branch)
        if start is None and not source.is_empty():
            raise CommitRefused(f"Cannot find start_branch '{options.start_branch}'")
        return fetch_commit(source, repo, start) if start else None
    if not repo.is_empty():
        raise NotOnABranch
    return None


def _start_sha(repo: Repository, options: CommitOptions) -> str:
    sha = options.start_sha or ""
    if not is_sha(sha):
        raise InvalidStartSha(sha)
    source = options.start_repository or repo
    if find(source, sha) is None:
        raise StartShaNotFound(sha)
    return fetch_commit(source, repo, sha)


class _Step(msgspec.Struct, frozen=True):
    repo: Repository
    root: Folder
    parent: str | None
    action: FileAction
    added: list[NewEntry]
    store_large: StoreLarge | None

    def put(self, parts: list[bytes], mode: str, blob: str) -> None:
        self.root.put(parts, mode, blob)
        self.added.append(NewEntry(parts, mode, blob))

    def content(self) -> bytes | Spool:
        """What the file is to contain: the pointer to it where Git LFS has it. A pointer stays as it is."""
        given = self._given()
        if self.store_large is None or (isinstance(given, bytes) and pointer_name(given) is not None):
            return given
        return self.store_large(given)

    def _given(self) -> bytes | Spool:
        given = self.action.content if self.action.content is not None else ""
        if self.action.encoding == "base64":
            try:
                return decode_base64(given)
            except (binascii.Error, ValueError):
                raise InvalidContent from None
        return given.encode("utf-8", "surrogatepass") if isinstance(given, str) else given

    def existing(self, path: str) -> tuple[str, str]:
        result = self.root.find(split_path(path))
        if not isinstance(result, tuple):
            raise FileDoesNotExist
        return result

    def existing_file(self, path: str) -> tuple[str, str]:
        result = self.existing(path)
        if result[0] == SUBMODULE:
            raise SubmoduleChange
        return result

    def require_free(self, path: str) -> list[bytes]:
        parts = split_path(path)
        result = self.root.find(parts)
        if isinstance(result, Folder):
            raise DirectoryAlreadyExists
        if result is not None or self.root.has_file_on_the_way(parts):
            raise FileAlreadyExists
        return parts

    def require_fresh(self, path: str) -> None:
        """The caller edited the version of `last_commit_id`; somebody may have changed the file since."""
        expected = self.action.last_commit_id
        if not expected or self.parent is None:
            return
        latest = last_commit_of_path(self.repo, self.parent, path)
        if latest is not None and latest != expected:
            raise StaleFile

    def mode(self, current: str) -> str:
        executable = self.action.execute_filemode
        return current if executable is None else EXECUTABLE if executable else FILE


def _create(step: _Step) -> None:
    parts = step.require_free(step.action.file_path)
    step.put(parts, step.mode(FILE), write_blob(step.repo, step.content()))


def _update(step: _Step) -> None:
    path = step.action.file_path
    mode, _ = step.existing_file(path)
    step.require_fresh(path)
    step.put(split_path(path), step.mode(mode), write_blob(step.repo, step.content()))


def _delete(step: _Step) -> None:
    path = step.action.file_path
    step.existing(path)
    step.require_fresh(path)
    step.root.remove(split_path(path))


def _move(step: _Step) -> None:
    action = step.action
    source = action.previous_path or ""
    if not source:
        raise CommitRefused("You must provide a previous path")
    is_changed = action.content is not None or action.execute_filemode is not None
    mode, blob = (step.existing_file if is_changed else step.existing)(source)
    step.require_fresh(source)
    if split_path(source) != split_path(action.file_path):
        step.require_free(action.file_path)
        step.root.remove(split_path(source))
    content = blob if action.content is None else write_blob(step.repo, step.content())
    step.put(split_path(action.file_path), step.mode(mode), content)


def _chmod(step: _Step) -> None:
    path = step.action.file_path
    mode, blob = step.existing_file(path)
    step.put(split_path(path), step.mode(mode), blob)


def _move_submodule(step: _Step) -> None:
    """Let a submodule point to the commit that `content` names; it need not be in this repository."""
    path, sha = step.action.file_path, str(step.action.content)
    current = step.root.find(split_path(path))
    if not isinstance(current, tuple) or current[0] != SUBMODULE:
        raise CommitRefused("Invalid submodule path")
    if current[1] == sha:
        raise CommitRefused(f"The submodule {path} is already at {sha}")
    step.put(split_path(path), SUBMODULE, sha)


def _unknown(step: _Step) -> None:
    raise CommitRefused(f"Unknown action '{step.action.action}'")


_APPLY = {
    "create": _create,
    "update": _update,
    "delete": _delete,
    "move": _move,
    "chmod": _chmod,
    MOVE_SUBMODULE: _move_submodule,
}
