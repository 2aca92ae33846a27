"""Filters shared by issues and merge requests: one function each, which returns its input when the filter is absent.

They take options of `list_forms`: what a caller sent went through `CONVERSIONS`, and values are parameters.
"""

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, Table, and_, exists, false, func, or_, select

from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.issuable_lists.labelled import LabelForm, Labelled, Query
from ingot.features.planning.issuable_lists.options import (
    ANY_MILESTONE,
    NO_MILESTONE,
    STARTED,
    UPCOMING,
    NegatedOptions,
    PeopleOptions,
    TimeOptions,
)
from ingot.features.planning.milestones import ids_with_title, running_ids, upcoming_ids
from ingot.identity.tables import users
from ingot.kit.errors import ParamError
from ingot.kit.params import ANY, NONE, Sentinel

Statement = Select[Any]


def user_named(username: str) -> ColumnElement[int]:
    """The id of a user by the name in lower case, as a subquery; no row for an unknown name."""
    return select(users.c.id).where(users.c.username_lower == username).scalar_subquery()


def check_assignees(options: PeopleOptions, *, paid: bool) -> None:
    """Several assignees at once need a paid tier."""
    names = options.assignee_username
    if len(names) > 1 and not paid:
        raise ParamError(f"assignee_username allows one value, but found {len(names)}: {', '.join(names)}")


class Issuable(msgspec.Struct, frozen=True):
    """A kind of issuable with an author, assignees, labels, a milestone and reactions."""

    type: str  # as reactions name it
    key: str  # how links name its id
    table: Table
    assignees: Table
    labels: Table
    labelled: Labelled
    is_labelled: ColumnElement[bool] | None = None  # where the issuable itself says whether it has a label

    def owns(self, links: Table) -> ColumnElement[bool]:
        """Condition: the link belongs to the issuable."""
        return links.c[self.key] == self.table.c.id

    def linked(self, links: Table, user: int | ColumnElement[int] | None = None) -> ColumnElement[bool]:
        """Somebody (or this user) is linked: as assignee or reviewer."""
        query = exists().where(self.owns(links))
        return query if user is None else query.where(links.c.user_id == user)

    def by_state(self, query: Statement, state: str | None) -> Statement:
        """One state, or all."""
        return query if state in (None, "", "all") else query.where(self.table.c.state == state)

    def by_scope(
        self, query: Statement, user_id: int | None, scope: str | None, reviews: Table | None = None
    ) -> Statement:
        """The caller's own issuables, assignments or (from these links) reviews."""
        word = (scope or "all").replace("-", "_")
        if word == "all":
            return query
        if user_id is None:
            return query.where(false())
        if word == "created_by_me":
            return query.where(self.table.c.author_id == user_id)
        links = self.assignees if word == "assigned_to_me" or reviews is None else reviews
        return query.where(self.linked(links, user_id))

    def by_people(self, query: Statement, options: PeopleOptions) -> Statement:
        """Author and assignees."""
        if options.author_id is not None:
            query = query.where(self.table.c.author_id == options.author_id)
        if options.author_username:
            query = query.where(self.table.c.author_id == user_named(options.author_username))
        query = self.by_link(query, self.assignees, options.assignee_id)
        names = options.assignee_username
        return query.where(*(self.linked(self.assignees, user_named(name)) for name in names)) if names else query

    def by_link(self, query: Statement, links: Table, user_id: int | Sentinel | ColumnElement[int] | None) -> Statement:
        """A linked user by id, `None` or `Any`."""
        if user_id is None:
            return query
        if isinstance(user_id, Sentinel):
            return query.where(self.linked(links) if user_id is ANY else ~self.linked(links))
        return query.where(self.linked(links, user_id))

    def by_labels(
        self, query: Statement, chosen: LabelForm | Sentinel | None, *, is_whole: bool = False, state: str | None = None
    ) -> tuple[Statement, Query | None]:
        """All of the names; `None` or `Any`. And the same rows for counting, where cheaper.

        `is_whole`: the statement finds all issuables of a project, or those in `state`. Further filters have to be in
        it already.
        """
        if isinstance(chosen, Sentinel):
            has_any = self.labelled.any_at_all() if self.is_labelled is None else self.is_labelled
            return query.where(has_any if chosen is ANY else ~has_any), None
        state = None if state in ("", "all") else state
        return (query, None) if chosen is None else self.labelled.by_all(query, chosen, is_whole=is_whole, state=state)

    def in_milestone(self, title: str) -> ColumnElement[bool]:
        """A milestone by title, or one of the special words."""
        column = self.table.c.milestone_id
        if title is NONE or title is NO_MILESTONE:
            return column.is_(None)
        if title is ANY or title is ANY_MILESTONE:
            return column.is_not(None)
        if title is UPCOMING:
            return column.in_(upcoming_ids())
        if title is STARTED:
            return column.in_(running_ids())
        return column.in_(ids_with_title(title))

    def in_other_milestone(self, title: str) -> ColumnElement[bool]:
        """The negation; running and coming milestones are negated by another milestone, titles by none as well."""
        condition, column = self.in_milestone(title), self.table.c.milestone_id
        if title is NONE or title is ANY:
            return ~condition
        if title is UPCOMING or title is STARTED:
            return and_(~condition, column.is_not(None))
        return or_(column.is_(None), ~condition)

    def reacted(self, user_id: int, name: str | None = None) -> ColumnElement[bool]:
        """The user reacted to the issuable (with this emoji)."""
        query = exists().where(
            award_emoji.c.awardable_type == self.type,
            award_emoji.c.awardable_id == self.table.c.id,
            award_emoji.c.user_id == user_id,
        )
        return query if name is None else query.where(award_emoji.c.name == name)

    def by_reaction(self, query: Statement, user_id: int | None, emoji: str | None) -> Statement:
        """The caller's own reactions; ignored when anonymous."""
        if emoji is None or user_id is None:
            return query
        if emoji is NONE:
            return query.where(~self.reacted(user_id))
        return query.where(self.reacted(user_id, None if emoji is ANY else emoji))

    def by_times(self, query: Statement, options: TimeOptions) -> Statement:
        """Inclusive bounds on creation and change."""
        for name in ("created", "updated"):
            column = self.table.c[f"{name}_at"]
            after, before = getattr(options, f"{name}_after"), getattr(options, f"{name}_before")
            if after is not None:
                query = query.where(column >= after)
            if before is not None:
                query = query.where(column <= before)
        return query

    def negated(
        self, query: Statement, user_id: int | None, options: NegatedOptions, chosen: LabelForm | None
    ) -> Statement:
        """The shared part of `not[...]`."""
        if chosen is not None:
            query = self.labelled.by_none(query, chosen)
        if options.milestone:
            query = query.where(self.in_other_milestone(options.milestone))
        author: int | ColumnElement[int] | None = options.author_id
        if options.author_username:
            author = func.coalesce(user_named(options.author_username), 0)
        if author is not None:
            column = self.table.c.author_id
            query = query.where(or_(column.is_(None), column != author))
        assignees: list[int | ColumnElement[int]] = [user_named(name) for name in options.assignee_username]
        if options.assignee_id is not None:
            assignees.insert(0, options.assignee_id)
        for assignee in assignees:
            query = query.where(~self.linked(self.assignees, assignee))
        if options.my_reaction_emoji and user_id is not None:
            query = query.where(~self.reacted(user_id, options.my_reaction_emoji))
        return query
