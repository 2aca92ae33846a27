"""Options shared by the lists of issues and merge requests."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol, TypeVar

from ingot.kit.clock import through
from ingot.kit.list_forms import AnyOf, Convert, Word
from ingot.kit.params import ANY, NONE, Sentinel

NO_MILESTONE, ANY_MILESTONE = Word("no milestone"), Word("any milestone")
UPCOMING, STARTED = Word("#upcoming"), Word("#started")
_MILESTONES: dict[str, Word] = {word: word for word in (NO_MILESTONE, ANY_MILESTONE, UPCOMING, STARTED)}
FIELDS = ("title", "description")

T = TypeVar("T", bound=str)


class PeopleOptions(Protocol):
    """Author and assignees."""

    author_id: int | None
    author_username: str | None
    assignee_id: int | None
    assignee_username: list[str]


class TimeOptions(Protocol):
    """Bounds on creation and change."""

    created_after: datetime | None
    created_before: datetime | None
    updated_after: datetime | None
    updated_before: datetime | None


class NegatedOptions(PeopleOptions, Protocol):
    """The shared part of `not[...]`."""

    milestone: str | None
    my_reaction_emoji: str | None


def lowered(name: T) -> T | str:
    """A user name as it is compared."""
    return name if isinstance(name, Sentinel) else name.lower()


def _lowered_names(names: list[str]) -> list[str]:
    return [name.lower() for name in names]


def _milestone(title: str) -> str:
    return title if isinstance(title, Sentinel) else _MILESTONES.get(title.lower(), title)


def _searched(fields: str) -> Word:
    names = [name.strip() for name in fields.split(",")]
    return Word(",".join(field for field in FIELDS if field in names))


def label_names(names: list[str] | Sentinel | None) -> list[str] | Sentinel | None:
    """The names, of which `None` or `Any` win anywhere in the list."""
    words = {name.lower() for name in names} if isinstance(names, list) else ()
    return NONE if "none" in words else ANY if "any" in words else names


# How the filters take what callers send. Labels and words to search are looked up first, each in its own way.
CONVERSIONS: Mapping[str, Convert] = {
    "author_username": lowered,
    "assignee_username": _lowered_names,
    "created_before": through,
    "updated_before": through,
    "iids": AnyOf,
    "in_": _searched,
    "milestone": _milestone,
    "not_author_username": lowered,
    "not_assignee_username": _lowered_names,
    "not_milestone": _milestone,
    "not_iids": AnyOf,
}
IGNORED = frozenset({"page", "per_page", "pagination", "with_labels_details", "labels", "not_labels", "search"})
