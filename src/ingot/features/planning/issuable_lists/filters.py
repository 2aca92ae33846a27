"""Filters shared by issues and merge requests: one function each, which returns its input when the filter is absent."""

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, exists, false, func, or_, select

from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.issuable_lists.labelled import Labelled, Query
from ingot.features.planning.issuable_lists.options import NegatedOptions, PeopleOptions, TimeOptions
from ingot.features.planning.milestones import ids_matching
from ingot.identity.tables import users
from ingot.kit.clock import through
from ingot.kit.errors import ParamError
from ingot.kit.params import ANY, NONE, Sentinel

Statement = Select[Any]


def user_named(username: str) -> ColumnElement[int]:
    """The id of a user, as a subquery; no row for an unknown name."""
    return select(users.c.id).where(users.c.username_lower == username.lower()).scalar_subquery()


class Issuable(msgspec.Struct, frozen=True):
    """A kind of issuable with an author, assignees, labels, a milestone and reactions."""

    type: str  # as reactions name it
    key: str  # how links name its id
    table: Table
    assignees: Table
    labels: Table
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

    def by_people(self, query: Statement, options: PeopleOptions, *, paid: bool) -> Statement:
        """Author and assignees; several assignees at once need a paid tier."""
        if options.author_id is not None:
            query = query.where(self.table.c.author_id == options.author_id)
        if options.author_username:
            query = query.where(self.table.c.author_id == user_named(options.author_username))
        names = options.assignee_username
        if len(names) > 1 and not paid:
            raise ParamError(f"assignee_username allows one value, but found {len(names)}: {', '.join(names)}")
        query = self.by_link(query, self.assignees, options.assignee_id)
        return query.where(*(self.linked(self.assignees, user_named(name)) for name in names)) if names else query

    def by_link(self, query: Statement, links: Table, user_id: int | Sentinel | ColumnElement[int] | None) -> Statement:
        """A linked user by id, `None` or `Any`."""
        if user_id is None:
            return query
        if isinstance(user_id, Sentinel):
            return query.where(self.linked(links) if user_id is ANY else ~self.linked(links))
        return query.where(self.linked(links, user_id))

    def by_labels(
        self,
        conn: Connection,
        query: Statement,
        names: list[str] | Sentinel | None,
        project_id: int | None = None,
        state: str | None = None,
    ) -> tuple[Statement, Query | None]:
        """All of the names; `None` or `Any` anywhere in the list win. And the same rows for counting, where cheaper.

        `project_id`: the statement finds all issuables of this project, or those in `state`. Further filters have to be
        in it already.
        """
        if isinstance(names, list):
            words = {name.lower() for name in names}
            names = NONE if "none" in words else ANY if "any" in words else names
        labelled = self._labelled(conn)
        if names is NONE or names is ANY:
            has_any = labelled.any_at_all() if self.is_labelled is None else self.is_labelled
            return query.where(has_any if names is ANY else ~has_any), None
        state = None if state in ("", "all") else state
        return labelled.by_all(query, set(names), project_id, state) if names else (query, None)

    def _labelled(self, conn: Connection) -> Labelled:
        return Labelled(conn, self.table, self.labels, self.key)

    def in_milestone(self, title: str) -> ColumnElement[bool]:
        """A milestone by title, or one of the special words."""
        column, text = self.table.c.milestone_id, str(title).lower()
        if title is NONE or text == "no milestone":
            return column.is_(None)
        if title is ANY or text == "any milestone":
            return column.is_not(None)
        return column.in_(ids_matching(title))

    def in_other_milestone(self, title: str) -> ColumnElement[bool]:
        """The negation; running and coming milestones are negated by another milestone, titles by none as well."""
        condition, column = self.in_milestone(title), self.table.c.milestone_id
        if title is NONE or title is ANY:
            return ~condition
        if str(title).lower() in ("#upcoming", "#started"):
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
                query = query.where(column <= through(before))
        return query

    def negated(self, conn: Connection, query: Statement, user_id: int | None, options: NegatedOptions) -> Statement:
        """The shared part of `not[...]`."""
        if options.labels:
            query = query.where(self._labelled(conn).none_of(options.labels))
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
