"""Writes objects; a full disk has an error of its own. No reference is touched here."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import pygit2
from pygit2.enums import ObjectType

from ingot.gitstore.errors import CommitRefused, CorruptRepository, NoSpace, StorageAway
from ingot.gitstore.model import Person
from ingot.gitstore.process import FULL_DISK
from ingot.gitstore.repository import Repository
from ingot.gitstore.signatures import signature
from ingot.gitstore.sizes import IN_PROCESS, LARGEST_MESSAGE
from ingot.kit.os_faults import AWAY, FULL, says_away
from ingot.kit.spool import Spool


def write_commit(
    repo: Repository, tree: str, parents: Sequence[str], message: str, author: Person, committer: Person | None = None
) -> str:
    """Returns the new commit's id. The committer is the author unless given."""
    raw = message.replace("\0", "").encode("utf-8", "replace")
    check_message(raw)
    text = raw.decode()
    try:
        created = repo.odb.create_commit(
            None,
            signature(author),
            signature(committer or author),
            text,
            pygit2.Oid(hex=tree),
            [pygit2.Oid(hex=parent) for parent in parents],
        )
    except (OSError, pygit2.GitError) as error:
        raise write_error(error, repo) from error
    return str(created)


def check_message(raw: bytes) -> None:
    """Half the limit of the whole object, so that what was written can be pushed elsewhere too."""
    if len(raw) > LARGEST_MESSAGE // 2:
        raise CommitRefused("The message is longer than 500 kB")


def write_blob(repo: Repository, content: bytes | Spool) -> str:
    size = content.size if isinstance(content, Spool) else len(content)
    try:
        if isinstance(content, Spool):
            return _write_outside(repo, ObjectType.BLOB, content.rewound())
        if size > IN_PROCESS:
            return _write_outside(repo, ObjectType.BLOB, content)
        return str(repo.odb.create_blob(content))
    except (OSError, pygit2.GitError) as error:
        raise write_error(error, repo, size) from error


def _write_outside(repo: Repository, kind: ObjectType, content: bytes | IO[bytes]) -> str:
    """By a process. Its temporary files on a full disk are removed with the folder."""
    objects = repo.path / "objects"
    with TemporaryDirectory(prefix="tmp_objdir-", dir=objects) as folder:
        command = ("hash-object", "-t", kind.name.lower(), "-w", "--stdin")
        sha = repo.git(*command, stdin=content, env={"GIT_OBJECT_DIRECTORY": folder}).stdout.decode().strip()
        place = Path(sha[:2], sha[2:])
        (objects / place).parent.mkdir(exist_ok=True)
        Path(folder, place).replace(objects / place)
    return sha


def write_object(repo: Repository, kind: ObjectType, body: bytes) -> str:
    """An object of any kind in git's own form."""
    try:
        if len(body) > IN_PROCESS:
            return _write_outside(repo, kind, body)
        return str(repo.odb.write(kind, body))
    except (OSError, pygit2.GitError) as error:
        raise write_error(error, repo, len(body)) from error


def write_error(error: Exception, repo: Repository, size: int = 0) -> NoSpace | StorageAway | CorruptRepository:
    """libgit2 often reports an earlier error instead of the full disk, so the disk is checked too."""
    if says_away(str(error)) or getattr(error, "errno", 0) in AWAY:
        return StorageAway()
    is_full = "No space left" in str(error) or getattr(error, "errno", 0) in FULL
    if is_full or shutil.disk_usage(repo.path).free < size + FULL_DISK:
        return NoSpace()
    return CorruptRepository(f"The object could not be written: {error}")
