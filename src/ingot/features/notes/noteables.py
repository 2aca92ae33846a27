"""What can be commented on: merge requests, issues and commits. Each kind knows its path and how it is found."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ingot.access.abilities import ProjectAbility
from ingot.access.policy import READ_CODE
from ingot.features.issues import lookup as issue_lookup
from ingot.features.issues.params_single import OneIssue
from ingot.features.merge_requests import lookup as request_lookup
from ingot.features.merge_requests.params_single import OneMergeRequest
from ingot.features.projects import repository_of
from ingot.gitstore import Repository, revisions
from ingot.kit.call import Call
from ingot.kit.errors import NotFound
from ingot.kit.params import Param, Params

THREADED = ("MergeRequest", "Issue")


@dataclass(frozen=True, slots=True)
class Noteable:
    """One thing that can be commented on."""

    type: str
    project: Any
    id: int | None = None
    iid: int | None = None
    commit_id: str | None = None
    author_id: int | None = None
    locked: bool = False
    row: Any = field(default=None, repr=False)

    @property
    def has_threads(self) -> bool:
        """Threads here can be resolved, and a plain comment can become a thread."""
        return self.type in THREADED


class OneCommit(Params):
    """The commit in the path."""

    sha: str = Param("Commit id, branch or tag.", required=True)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: its word in names, its path, its number in the path, and how to find it."""

    word: str
    title: str
    path: str
    number: type[Params]
    find: Callable[[Call], Noteable]


def _merge_request(call: Call) -> Noteable:
    row = request_lookup.find_visible(call)
    return Noteable(
        "MergeRequest",
        call.project,
        id=row.id,
        iid=row.iid,
        author_id=row.author_id,
        locked=bool(row.discussion_locked),
        row=row,
    )


def _issue(call: Call) -> Noteable:
    row = issue_lookup.find_issue(call)
    return Noteable(
        "Issue",
        call.project,
        id=row.id,
        iid=row.iid,
        author_id=row.author_id,
        locked=bool(row.discussion_locked),
        row=row,
    )


def repository(call: Call) -> Repository:
    """The repository of the call's project."""
    return repository_of(call.services, call.project)


def _commit(call: Call) -> Noteable:
    READ_CODE.require(call.actor, call.project)
    place = repository(call)
    sha = revisions.find(place, call.params.sha) if place.exists() else None
    if sha is None:
        raise NotFound("Commit")
    return Noteable("Commit", call.project, commit_id=sha)


MERGE_REQUEST = Kind(
    "merge_request",
    "merge request",
    "/projects/{id}/merge_requests/{merge_request_iid}",
    OneMergeRequest,
    _merge_request,
)
ISSUE = Kind("issue", "issue", "/projects/{id}/issues/{issue_iid}", OneIssue, _issue)
COMMIT = Kind("commit", "commit", "/projects/{id}/repository/commits/{sha}", OneCommit, _commit)

# The project is visible; whether the thing itself is, is decided when it is found.
READ_NOTES = ProjectAbility(ability="read_note", outsiders=True, needs_user=True)
