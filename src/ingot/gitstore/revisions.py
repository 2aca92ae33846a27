"""Turns what a user calls a revision into a full commit id. Only such ids are ever handed to git as arguments."""

from __future__ import annotations

import pygit2

from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.names import is_sha, is_sha_prefix, is_valid_ref
from ingot.gitstore.repository import Repository
from ingot.kit.patterns import pattern

_STEPS = pattern(r"((?:[~^][0-9]{0,9}|\^\{(?:commit)?\})*)$")
_STEP = pattern(r"([~^])(\{(?:commit)?\}|[0-9]*)")
_LONGEST = 4096  # bytes of a path on disk, and so of a ref
_MOST_TAGS = 50  # of tags that name tags


def resolve(repo: Repository, revision: str) -> str:
    """Full id of the commit that `revision` names: a whole or short id, HEAD, a ref, a tag, a branch, with `~n`, `^n`.

    A tag wins over a branch of the same name, as in git. Raises RevisionNotFound.
    """
    result = find(repo, revision)
    if result is None:
        raise RevisionNotFound(revision)
    return result


def find(repo: Repository, revision: str) -> str | None:
    """Like `resolve`, None when there is no such commit."""
    if len(revision) > _LONGEST:
        return None
    steps = _STEPS.search(revision) if "~" in revision or "^" in revision else None
    base = revision[: steps.start()] if steps else revision
    commit = _find_base(repo, base) if base else None
    for step in _STEP.finditer(steps[1]) if steps else ():
        if commit is None:
            return None
        commit = _walk(repo, commit, step[1], step[2])
    return None if commit is None else str(commit.id)


def find_range(repo: Repository, revisions: str) -> tuple[list[str], list[str]] | None:
    """Ids to include and ids to exclude for `a`, `a..b` or `a...b`; None when a side does not exist."""
    for dots in ("...", ".."):
        left, separator, right = revisions.partition(dots)
        if not separator:
            continue
        first, second = find(repo, left or "HEAD"), find(repo, right or "HEAD")
        if first is None or second is None:
            return None
        if dots == "..":
            return [second], [first]
        base = repo.odb.merge_base(first, second)
        return [first, second], [] if base is None else [str(base)]
    only = find(repo, revisions)
    return None if only is None else ([only], [])


def has_object(repo: Repository, sha: str) -> bool:
    return is_sha(sha) and sha in repo.odb


def _find_base(repo: Repository, name: str) -> pygit2.Commit | None:
    if is_sha(name):
        result = _peel(repo, name)
        if result is not None:
            return result
    candidates = ["HEAD"] if name in ("HEAD", "@") else [f"refs/{name}", f"refs/tags/{name}", f"refs/heads/{name}"]
    if name.startswith("refs/"):
        candidates.insert(0, name)
    for candidate in candidates:
        if candidate == "HEAD" or is_valid_ref(candidate):
            result = _by_ref(repo, candidate)
            if result is not None:
                return result
    if is_sha_prefix(name):
        try:
            return _peel(repo, str(repo.odb.expand_id(name)))
        except (KeyError, ValueError):  # nothing, or more than one object
            return None
    return None


def _by_ref(repo: Repository, name: str) -> pygit2.Commit | None:
    try:
        target = repo.odb.lookup_reference(name).resolve().target
    except (KeyError, ValueError, pygit2.GitError):
        return None
    return _peel(repo, str(target))


def _peel(repo: Repository, sha: str) -> pygit2.Commit | None:
    """The commit itself or below tags. libgit2 would read whatever a tag names, however large."""
    git_object = repo.find_object(sha)
    for _ in range(_MOST_TAGS):
        if not isinstance(git_object, pygit2.Tag):
            break
        git_object = repo.find_object(str(git_object.target))
    return git_object if isinstance(git_object, pygit2.Commit) else None


def _walk(repo: Repository, commit: pygit2.Commit, kind: str, count: str) -> pygit2.Commit | None:
    if count.startswith("{"):
        return commit
    number = int(count) if count else 1
    if kind == "^":
        return commit if number == 0 else _parent(repo, commit, number - 1)
    for _ in range(number):
        parent = _parent(repo, commit, 0)
        if parent is None:
            return None
        commit = parent
    return commit


def _parent(repo: Repository, commit: pygit2.Commit, place: int) -> pygit2.Commit | None:
    ids = commit.parent_ids
    return _peel(repo, str(ids[place])) if place < len(ids) else None
