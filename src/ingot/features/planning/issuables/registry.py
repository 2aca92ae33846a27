"""The registry of issuables: each kind has its tables, its place in the API and its functions."""

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table

from ingot.access.call import Call
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.features.planning.issuables.rows import IssuableRow
from ingot.kit.actor import Actor
from ingot.kit.entity import Entity
from ingot.kit.params import Params


@dataclass(frozen=True, slots=True)
class Target:
    """What a note or to-do item is about."""

    type: str  # the `type` of a kind
    id: int
    project_id: int


class Source(NamedTuple):
    """What a note refers to: an issuable, or (by the id of its project) a commit."""

    type: str
    id: int


@dataclass(frozen=True, slots=True)
class Noteable:
    """What can be commented on: an issuable, or a commit."""

    type: str
    project: Any  # a `Project`; only its id where no rights are checked
    id: int | None = None
    iid: int | None = None
    commit_id: str | None = None
    author_id: int | None = None
    locked: bool = False
    row: Any = field(default=None, repr=False)

    @classmethod
    def of_row(cls, type: str, project: Project, row: IssuableRow) -> "Noteable":
        """An issue or a merge request."""
        return cls(
            type,
            project,
            id=row.id,
            iid=row.iid,
            author_id=row.author_id,
            locked=bool(row.discussion_locked),
            row=row,
        )

    @property
    def has_threads(self) -> bool:
        """Threads here can be resolved, and a plain comment can become a thread."""
        return self.type in _kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Commentable:
    """A kind of noteable: its name, its path, its number in the path, and how it is found."""

    type: str  # as rows and archives name it
    word: str
    title: str
    path: str
    number: builtins.type[Params]
    find: Callable[[Any], Noteable]  # takes calls that have this number


class Audience(NamedTuple):
    """Who can read an issuable: the role of members, whether non-members may, and users who always may."""

    level: int
    is_open: bool
    people: Sequence[int] = ()


class Shown(NamedTuple):
    """An issuable as other answers embed it."""

    entity: Entity
    web_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuableKind(Commentable):
    """Issues or merge requests."""

    sign: str  # before its number in texts: `#4`
    table: Table
    key: str  # the column by which link tables name it
    labels: Table
    assignees: Table
    subscriptions: Table
    reviewers: Table | None = None
    # Counts of the table that notes keep, beside `user_notes_count`.
    counts_unresolved_threads: bool = False
    may_track_time: Callable[[Actor, Project], bool]
    audience: Callable[[Connection, ProjectRow, int], Audience]  # of an id in the project
    readable: Callable[[Actor], ColumnElement[bool]]  # a condition on the table joined with `projects`
    show: Callable[[Call, Sequence[int]], dict[int, Shown]]
    run_actions: Callable[[Call, Any, Sequence[Any]], Any]  # quick actions of a comment on a row


_kinds: dict[str, IssuableKind] = {}


def register(kind: IssuableKind) -> IssuableKind:
    """Register a kind."""
    _kinds[kind.type] = kind
    return kind


def kinds() -> list[IssuableKind]:
    """All kinds, in the order of their types."""
    return [_kinds[name] for name in sorted(_kinds)]


def find_kind(type: str) -> IssuableKind | None:
    """The kind of this type, or None where the type is no issuable's (a commit, a note)."""
    return _kinds.get(type)


def get_kind(type: str) -> IssuableKind:
    """The kind of this type, which must be registered."""
    return _kinds[type]
