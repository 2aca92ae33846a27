"""Whole repositories as git bundles: writing them for archives, reading hostile ones back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pygit2

from ingot.gitstore import process, refs
from ingot.gitstore.errors import BadBundle, CommandFailed, GitError
from ingot.gitstore.model import text
from ingot.gitstore.names import (
    BRANCHES,
    ENVIRONMENTS,
    KEEP_AROUND,
    PIPELINES,
    TAGS,
    is_sha,
    is_valid_branch,
    is_valid_ref,
)
from ingot.gitstore.object_checks import STRICT
from ingot.gitstore.process import Limits
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.scratch import quarantine, release
from ingot.gitstore.streams import stream

_HEADERS = (b"# v2 git bundle\n", b"# v3 git bundle\n")
_MOST_HEADER = 64 << 20
_IMPORTED = (TAGS, KEEP_AROUND, ENVIRONMENTS, PIPELINES)


def bundle_chunks(repo: Repository, *, limits: Limits = process.LONG) -> Generator[bytes] | None:
    """All refs and HEAD as a bundle, piece by piece while git packs; None when there is nothing to bundle."""
    if not repo.exists() or not repo.odb.raw_listall_references():
        return None
    # Version 2 is what every reader knows. HEAD goes in only when its branch exists.
    head = ["HEAD"] if repo.git("rev-parse", "-q", "--verify", "HEAD", accept=(0, 1)).code == 0 else []
    return stream(repo.path, ["bundle", "create", "-q", "--version=2", "-", *head, "--all"], limits=limits)


def bundle_refs(path: Path) -> dict[str, str]:
    """Refs named in a bundle's header, HEAD included, whatever their names. BadBundle when it is no whole bundle."""
    result: dict[str, str] = {}
    with path.open("rb") as file:
        if file.readline(64) not in _HEADERS:
            raise BadBundle
        while (line := file.readline(65536)) != b"\n":
            if not line.endswith(b"\n") or file.tell() > _MOST_HEADER:
                raise BadBundle
            if line.startswith(b"@"):
                continue
            if line.startswith(b"-"):
                raise BadBundle("The bundle is not self-contained.")
            sha, _, name = text(line.rstrip(b"\n")).partition(" ")
            if not is_sha(sha) or not name:
                raise BadBundle
            result[name] = sha
        if file.read(4) != b"PACK":
            raise BadBundle
    return result


def is_importable(ref: str) -> bool:
    """Branches, tags and kept commits with sound names; merge request refs are made again from their records."""
    if ref.startswith(BRANCHES):
        return is_valid_branch(ref[len(BRANCHES) :])
    return ref.startswith(_IMPORTED) and is_valid_ref(ref) and not ref.startswith(f"{TAGS}-")


def read_bundle(
    repo: Repository, path: Path, *, accept: Callable[[str], bool] = is_importable, limits: Limits = process.LONG
) -> dict[str, str]:
    """Import the refs that `accept` allows into `repo`; returns them. Every object is checked.

    HEAD is not among them: see `default_branch_of`. BadBundle when git cannot read it; the refs stay as they were.
    """
    offered = bundle_refs(path)
    _unpack(repo, path, limits)
    accepted = {ref: sha for ref, sha in offered.items() if ref != "HEAD" and accept(ref) and _fits(repo, ref, sha)}
    accepted = _without_collisions(accepted)
    refs.update(repo, [RefUpdate(ref, sha) for ref, sha in accepted.items()])
    return accepted


def _unpack(repo: Repository, path: Path, limits: Limits) -> None:
    """The pack behind the header, through the same checks as a push. `git fetch` would not check a bundle's objects."""
    with path.open("rb", buffering=0) as file, quarantine(repo) as arriving:
        file.seek(_pack_offset(path))
        try:
            arriving.git("index-pack", "--stdin", STRICT, stdin=file, limits=limits)
        except CommandFailed as failure:
            raise BadBundle(f"The bundle could not be read: {_first_error(failure.stderr)}") from failure
        release(arriving, repo)


def _pack_offset(path: Path) -> int:
    with path.open("rb") as file:
        while file.readline() not in (b"\n", b""):
            pass
        return file.tell()


def _fits(repo: Repository, ref: str, sha: str) -> bool:
    """A branch must be a commit; other refs only have to exist."""
    return isinstance(repo.find_object(sha), pygit2.Commit) if ref.startswith(BRANCHES) else sha in repo.odb


def default_branch_of(result: Mapping[str, str], preferred: str = "main") -> str | None:
    """The branch at HEAD's commit; of several, `preferred`, master, main, or the first by name. None without any."""
    branches = sorted(ref[len(BRANCHES) :] for ref in result if ref.startswith(BRANCHES))
    head = result.get("HEAD")
    same = [name for name in branches if head is not None and result[BRANCHES + name] == head]
    candidates = same or branches
    for name in (preferred, "master", "main"):
        if name in candidates:
            return name
    return candidates[0] if candidates else None


def _without_collisions(result: dict[str, str]) -> dict[str, str]:
    """Drop `a/b` where `a` is a ref too: no repository holds both."""
    remaining: dict[str, str] = {}
    for ref in sorted(result):
        parts = ref.split("/")
        if not any("/".join(parts[:end]) in remaining for end in range(3, len(parts))):
            remaining[ref] = result[ref]
    return remaining


def _first_error(stderr: str) -> str:
    return next((line for line in stderr.splitlines() if line.startswith(("fatal", "error"))), "unknown error")[:300]


def restore_bundle(repo: Repository, path: Path, *, preferred: str = "main") -> str | None:
    """Read a bundle into an empty repository and set its default branch, which is returned."""
    if not repo.exists():
        raise GitError("The repository to restore into does not exist.")
    offered = bundle_refs(path)
    result = read_bundle(repo, path)
    head = offered.get("HEAD")
    branch = default_branch_of({**result, **({"HEAD": head} if head else {})}, preferred)
    if branch is not None:
        repo.set_default_branch(branch)
    return branch
