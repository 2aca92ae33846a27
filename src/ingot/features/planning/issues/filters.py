"""Filters that only issues have: one function per filter, each returning its input when the filter is absent.

`ISSUES` has the shared ones.
"""

from datetime import date, timedelta
from typing import Any

from sqlalchemy import Select, bindparam, or_

from ingot.features.planning.issuable_lists import (
    STARTED,
    UPCOMING,
    Issuable,
    LabelForm,
    Labelled,
    WordsForm,
    columns_of,
    contains_all,
)
from ingot.features.planning.issues.params import Filters, Negation
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issues
from ingot.kit.params import ANY, NONE

Statement = Select[Any]
ISSUES = Issuable(
    "Issue", "issue_id", issues, issue_assignees, issue_labels, Labelled(issues, issue_labels, "issue_id")
)
MILESTONE_WORDS: dict[str, str] = {"None": NONE, "Any": ANY, "Upcoming": UPCOMING, "Started": STARTED}


def milestone_of(options: Filters) -> str | None:
    """The milestone's title, or the special word that `milestone_id` stands for."""
    return options.milestone if options.milestone_id is None else MILESTONE_WORDS[options.milestone_id]


def by_due(query: Statement, word: str | None) -> Statement:
    """When the issue is due; the days are those of `due_values`."""
    if not word:
        return query
    column = issues.c.due_date
    match word:
        case "0":
            return query.where(column.is_(None))
        case "any":
            return query.where(column.is_not(None))
        case "overdue":
            return query.where(column < bindparam("today"))
        case _:
            return query.where(column >= bindparam("first_day"), column <= bindparam("last_day"))


def due_values(word: str | None, today: date) -> dict[str, object]:
    """The parameters of `by_due`."""
    if word in (None, "", "0", "any", "overdue"):
        return {"today": today}
    first, last = _days(str(word), today)
    return {"today": today, "first_day": first, "last_day": last}


def _days(word: str, day: date) -> tuple[date, date]:
    """The first and the last; weeks begin on Monday."""
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


def by_search(query: Statement, words: WordsForm, fields: str) -> Statement:
    """Every word in one and the same field."""
    return query.where(contains_all(columns_of(issues, fields), words)) if words else query


def negated(query: Statement, user_id: int | None, options: Negation | None, others: LabelForm | None) -> Statement:
    """`not[...]`."""
    if options is None:
        return query
    query = ISSUES.negated(query, user_id, options, others)
    if options.milestone_id is not None:
        query = query.where(ISSUES.in_other_milestone(MILESTONE_WORDS[options.milestone_id]))
    if options.iids:
        query = query.where(issues.c.iid.not_in(options.iids))
    if options.weight is not None:
        query = query.where(or_(issues.c.weight.is_(None), issues.c.weight != options.weight))
    return query
