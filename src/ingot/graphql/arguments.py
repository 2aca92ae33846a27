"""The arguments of lists, typed as the schema declares them."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from graphql import GraphQLError

T = TypeVar("T")


class Window(msgspec.Struct, kw_only=True):
    """Which part of a list."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None


class Common(Window, kw_only=True):
    """Filters of issues and of merge requests."""

    iids: list[str] | None = None
    state: str | None = None
    search: str | None = None
    author_username: str | None = None
    created_after: str | None = None
    created_before: str | None = None
    updated_after: str | None = None
    updated_before: str | None = None
    sort: str | None = None


class IssueArguments(Common, kw_only=True):
    """Of issues."""

    iid: str | None = None
    label_name: list[str] | None = None
    milestone_title: list[str] | None = None
    assignee_usernames: list[str] | None = None


class WorkItemArguments(IssueArguments, kw_only=True):
    """Of work items."""

    assignee_wildcard_id: str | None = None
    confidential: bool | None = None
    health_status_filter: str | None = None
    include_ancestors: bool | None = None
    include_descendants: bool | None = None
    milestone_wildcard_id: str | None = None
    my_reaction_emoji: str | None = None
    types: list[str] | None = None
    weight: str | None = None
    weight_wildcard_id: str | None = None
    in_: list[str] | None = msgspec.field(name="in", default=None)


class MergeRequestArguments(Common, kw_only=True):
    """Of merge requests."""

    source_branches: list[str] | None = None
    target_branches: list[str] | None = None
    labels: list[str] | None = None
    milestone_title: str | None = None
    assignee_username: str | None = None
    reviewer_username: str | None = None


def read_arguments(kind: type[T], given: Mapping[str, object]) -> T:
    """The arguments that a query sent. The schema has checked them, but for times, which it takes in any form."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise GraphQLError(str(error)) from None
