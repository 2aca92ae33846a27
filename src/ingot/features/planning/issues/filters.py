"""Filters that only issues have: one function per filter, each returning its input when the filter is absent.

`ISSUES` has the shared ones.
"""

from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, Select, or_

from ingot.features.planning.issuable_lists import Issuable, columns_of, contains_all, terms_of
from ingot.features.planning.issues.params import Filters, Negation
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issues
from ingot.kit.clock import today
from ingot.kit.params import ANY, NONE

Statement = Select[Any]
ISSUES = Issuable("Issue", "issue_id", issues, issue_assignees, issue_labels)
MILESTONE_WORDS = {"None": NONE, "Any": ANY, "Upcoming": "#upcoming", "Started": "#started"}


def milestone_of(options: Filters) -> str | None:
    """The milestone's title, or the special word that `milestone_id` stands for."""
    return options.milestone if options.milestone_id is None else MILESTONE_WORDS[options.milestone_id]


def by_due(query: Statement, word: str | None) -> Statement:
    """When the issue is due; weeks begin on Monday."""
    if not word:
        return query
    column, day = issues.c.due_date, today()
    match word:
        case "0":
            return query.where(column.is_(None))
        case "any":
            return query.where(column.is_not(None))
        case "overdue":
            return query.where(column < day)
        case _:
            first, last = _days(word, day)
            return query.where(column >= first, column <= last)


def _days(word: str, day: date) -> tuple[date, date]:
    monday, first = day - timedelta(days=day.weekday()), day.replace(day=1)
    after = (first + timedelta(days=32)).replace(day=1)
    match word:
        case "today":
            return day, day
        case "tomorrow":
            return day + timedelta(days=1), day + timedelta(days=1)
        case "week":
            return monday, monday + timedelta(days=6)
        case "month":
            return first, after - timedelta(days=1)
        case _:
            beyond = (after + timedelta(days=32)).replace(day=1)
            return day - timedelta(days=14), beyond - timedelta(days=1)


def by_marks(query: Statement, options: Filters) -> Statement:
    """Numbers, confidentiality, weight, health and kind."""
    if options.iids:
        query = query.where(issues.c.iid.in_(options.iids))
    if options.confidential is not None:
        query = query.where(issues.c.confidential.is_(options.confidential))
    for column, value in ((issues.c.weight, options.weight), (issues.c.health_status, options.health_status)):
        if value is NONE:
            query = query.where(column.is_(None))
        elif value is ANY:
            query = query.where(column.is_not(None))
        elif value is not None:
            query = query.where(column == value)
    return query if options.issue_type is None else query.where(issues.c.issue_type == options.issue_type)


def by_search(query: Statement, text: str | None, fields: str) -> Statement:
    """Every word in one and the same field."""
    terms = terms_of(text or "")
    return query.where(contains_all(columns_of(issues, fields), terms)) if terms else query


def negated(conn: Connection, query: Statement, user_id: int | None, options: Negation | None) -> Statement:
    """`not[...]`."""
    if options is None:
        return query
    query = ISSUES.negated(conn, query, user_id, options)
    if options.milestone_id is not None:
        query = query.where(ISSUES.in_other_milestone(MILESTONE_WORDS[options.milestone_id]))
    if options.iids:
        query = query.where(issues.c.iid.not_in(options.iids))
    if options.weight is not None:
        query = query.where(or_(issues.c.weight.is_(None), issues.c.weight != options.weight))
    return query
