"""Filters of the lists that only issues have: one function per filter, each returning its input when the filter is
absent. `ISSUES` has those that merge requests have as well."""

from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, Select, or_

from ingot.features.planning.issuable_lists import Issuable, columns_of, contains_all, terms_of
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issues
from ingot.kit.clock import today
from ingot.kit.params import ANY, NONE

Statement = Select[Any]
ISSUES = Issuable("Issue", "issue_id", issues, issue_assignees, issue_labels)
MILESTONE_WORDS = {"None": NONE, "Any": ANY, "Upcoming": "#upcoming", "Started": "#started"}


def milestone_of(wish: Any) -> Any:
    """The milestone's title, or the special word that `milestone_id` stands for."""
    return wish.milestone if wish.milestone_id is None else MILESTONE_WORDS[wish.milestone_id]


def by_due(found: Statement, word: str | None) -> Statement:
    """When the issue is due; weeks begin on Monday."""
    if not word:
        return found
    column, day = issues.c.due_date, today()
    match word:
        case "0":
            return found.where(column.is_(None))
        case "any":
            return found.where(column.is_not(None))
        case "overdue":
            return found.where(column < day)
        case _:
            first, last = _days(word, day)
            return found.where(column >= first, column <= last)


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


def by_marks(found: Statement, wish: Any) -> Statement:
    """Numbers, confidentiality, weight, health and kind."""
    if wish.iids:
        found = found.where(issues.c.iid.in_(wish.iids))
    if wish.confidential is not None:
        found = found.where(issues.c.confidential.is_(wish.confidential))
    for column, wanted in ((issues.c.weight, wish.weight), (issues.c.health_status, wish.health_status)):
        if wanted is NONE:
            found = found.where(column.is_(None))
        elif wanted is ANY:
            found = found.where(column.is_not(None))
        elif wanted is not None:
            found = found.where(column == wanted)
    return found if wish.issue_type is None else found.where(issues.c.issue_type == wish.issue_type)


def by_search(found: Statement, text: str | None, fields: str) -> Statement:
    """Every word in one and the same field."""
    terms = terms_of(text or "")
    return found.where(contains_all(columns_of(issues, fields), terms)) if terms else found


def negated(conn: Connection, found: Statement, user_id: int | None, wish: Any) -> Statement:
    """`not[...]`."""
    if wish is None:
        return found
    found = ISSUES.negated(conn, found, user_id, wish)
    if wish.milestone_id is not None:
        found = found.where(ISSUES.in_other_milestone(milestone_of(wish)))
    if wish.iids:
        found = found.where(issues.c.iid.not_in(wish.iids))
    if wish.weight is not None:
        found = found.where(or_(issues.c.weight.is_(None), issues.c.weight != wish.weight))
    return found
