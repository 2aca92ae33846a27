"""Making branches and tags of a repository elsewhere the same as ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from ingot.gitstore.destinations import Destination, Line, line_to
from ingot.gitstore.errors import CommandFailed, GitError
from ingot.gitstore.listing import list_refs
from ingot.gitstore.names import BRANCHES, TAGS
from ingot.gitstore.objects import is_ancestor
from ingot.gitstore.process import LONG, Limits
from ingot.gitstore.refs import find_branch
from ingot.gitstore.repository import Repository

AT_ONCE = 500  # refs in one command
_TOLD = ("fatal:", "error:", "ssh:", "Host key verification failed", "Permission denied", "@@@")
_SHOWN_REFS = 20


class Choice(msgspec.Struct, frozen=True):
    """What is pushed: branches whose name is chosen, and all tags. `keeps_diverged` overwrites nothing."""

    has_branch: Callable[[str], bool]
    keeps_diverged: bool = False

    def has_ref(self, ref: str) -> bool:
        """Whether the ref takes part."""
        return ref.startswith(TAGS) or (ref.startswith(BRANCHES) and self.has_branch(ref.removeprefix(BRANCHES)))


class Outcome(msgspec.Struct, frozen=True):
    """What a push left undone, and the keys by which an SSH host is known."""

    diverged: tuple[str, ...]
    host_keys: tuple[str, ...]


def push_all(repo: Repository, destination: Destination, choice: Choice, *, limits: Limits = LONG) -> Outcome:
    """Push what differs, and delete what is not here. Raises `GitError` with a sentence that may be shown."""
    with line_to(destination) as line:
        there = {ref: sha for ref, sha in _refs_there(repo, line).items() if choice.has_ref(ref)}
        here = {ref: sha for ref, sha in list_refs(repo, BRANCHES, TAGS).items() if choice.has_ref(ref)}
        diverged = _diverged(repo, here, there) if choice.keeps_diverged else set()
        specs = list(_specs(here, there, diverged))
        # Deletions first: a branch `a` may have to make room for `a/b`.
        specs.sort(key=lambda spec: not spec.startswith(":"))
        for start in range(0, len(specs), AT_ONCE):
            _push(repo, line, specs[start : start + AT_ONCE], limits)
        return Outcome(tuple(sorted(diverged)), line.host_keys())


def _refs_there(repo: Repository, line: Line) -> dict[str, str]:
    args = ("ls-remote", "--refs", "--end-of-options", line.url, f"{BRANCHES}*", f"{TAGS}*")
    try:
        result = repo.git(*args, config=line.config, env=line.environment, limits=Limits(120.0, 256 << 20))
    except CommandFailed as error:
        raise GitError(_sentence(error.stderr)) from error
    pairs = (text.split("\t", 1) for text in result.text.splitlines())
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _diverged(repo: Repository, here: Mapping[str, str], there: Mapping[str, str]) -> set[str]:
    """Refs of the other repository that would lose something."""
    head = find_branch(repo, repo.default_branch())

    def would_lose(ref: str, sha: str) -> bool:
        goal = here.get(ref, head)
        if goal is None or goal == sha:
            return goal is None
        if ref.startswith(TAGS):
            return ref in here or repo.find_object(sha) is None
        return repo.find_object(sha) is None or not is_ancestor(repo, sha, goal)

    return {ref for ref, sha in there.items() if would_lose(ref, sha)}


def _specs(here: Mapping[str, str], there: Mapping[str, str], diverged: set[str]) -> Iterator[str]:
    for ref in there.keys() - here.keys() - diverged:
        yield f":{ref}"
    for ref, sha in sorted(here.items()):
        if there.get(ref) != sha and ref not in diverged:
            yield f"+{sha}:{ref}"


def _push(repo: Repository, line: Line, specs: Sequence[str], limits: Limits) -> None:
    args = ("push", "--porcelain", "--no-verify", "--end-of-options", line.url, *specs)
    try:
        result = repo.git(*args, config=line.config, env=line.environment, limits=limits, accept=(0, 1))
    except CommandFailed as error:
        raise GitError(_sentence(error.stderr)) from error
    refused = [text.split("\t") for text in result.text.splitlines() if text.startswith("!\t")]
    if refused:
        names = [f"{parts[1].rpartition(':')[2]} {parts[2]}" for parts in refused if len(parts) == 3]
        raise GitError(f"The remote refused: {', '.join(names[:_SHOWN_REFS])}")
    if result.code != 0:
        raise GitError(_sentence(result.stderr))


def _sentence(stderr: str) -> str:
    if "could not read Username" in stderr or "Authentication failed" in stderr:
        return "Authentication failed: the username or password was not accepted."
    lines = [line.strip() for line in stderr.splitlines() if line.startswith(_TOLD) or "Permission denied" in line]
    return "; ".join(line for line in lines if not line.startswith("@@@"))[:300] or "git failed"
