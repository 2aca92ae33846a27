"""Extension points for features above pushing.

Merge requests open branches to the maintainers of their target, obey the options of a push, and finish a merge whose
process died; pipelines remember where refs were.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection

from ingot.access.rows import ProjectRow
from ingot.events import RefChange
from ingot.features.code.pushing.notes import Note
from ingot.kit.actor import Actor
from ingot.kit.services import Services


class OpenedBranch(NamedTuple):
    """A source branch that a merge request opens to users who may merge into its target."""

    project_id: int  # of the target
    target_branch: str
    source_branch: str


class PushOptions(msgspec.Struct, frozen=True):
    """How push options of one kind are read and applied."""

    has_any: Callable[[Sequence[str]], bool]
    # Returns what was wrong with the options, as sentences.
    apply: Callable[[Services, Actor, int, Sequence[RefChange], Sequence[str]], list[str]]


FindOpenedBranches = Callable[[Connection, int], Sequence[OpenedBranch]]
# Returns whether a merge was completed; announcing that merge also announced the push.
FollowMerge = Callable[[Services, int, RefChange, Note], bool]
# Whether stored rows show that the ref of this short name was at a commit.
RefMemory = Callable[[Connection, int, str, str], bool]
# Lines for the terminal of somebody who pushed these branches to the project (a row), with the server's address.
Links = Callable[[Connection, ProjectRow, Sequence[str], str], list[str]]

_opened_branches: list[FindOpenedBranches] = []
_options: list[PushOptions] = []
_follow_merge: list[FollowMerge] = []
_memories: list[RefMemory] = []
_links: list[Links] = []


def opens_branches(source: FindOpenedBranches) -> FindOpenedBranches:
    """Register a source of branches that are open to others than the project's developers."""
    _opened_branches.append(source)
    return source


def opened_branches(conn: Connection, project_id: int) -> list[OpenedBranch]:
    """All such branches of a project."""
    return [branch for source in _opened_branches for branch in source(conn, project_id)]


def obeys_options(options: PushOptions) -> None:
    """Register a kind of push options."""
    _options.append(options)


def has_options(options: Sequence[str]) -> bool:
    """Whether one of the options is supported."""
    return any(kind.has_any(options) for kind in _options)


def apply_options(
    services: Services, actor: Actor, project_id: int, changes: Sequence[RefChange], options: Sequence[str]
) -> list[str]:
    """Apply the options; returns their problems."""
    return [text for kind in _options for text in kind.apply(services, actor, project_id, changes, options)]


def follows_merges(follow: FollowMerge) -> FollowMerge:
    """Register the function that completes a merge whose target has moved already."""
    _follow_merge[:] = [follow]
    return follow


def follow_merge(services: Services, merge_request_id: int, change: RefChange, note: Note) -> bool:
    """Complete the merge; False if that is not possible."""
    return bool(_follow_merge) and _follow_merge[0](services, merge_request_id, change, note)


def remembers_refs(memory: RefMemory) -> RefMemory:
    """Register a source of former ref positions."""
    _memories.append(memory)
    return memory


def was_seen_at(conn: Connection, project_id: int, name: str, sha: str) -> bool:
    """Whether some row shows that the ref was at this commit."""
    return any(memory(conn, project_id, name, sha) for memory in _memories)


def prints_links(links: Links) -> Links:
    """Register lines that git shows after a push."""
    _links.append(links)
    return links


def links_after_push(conn: Connection, project: ProjectRow, branches: Sequence[str], base_url: str) -> list[str]:
    """All lines for the terminal."""
    return [line for links in _links for line in links(conn, project, branches, base_url)]
