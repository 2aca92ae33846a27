"""Options shared by the lists of issues and merge requests."""

from datetime import datetime
from typing import Protocol


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

    labels: list[str]
    milestone: str | None
    my_reaction_emoji: str | None
