"""Filters of the lists: one function per filter, each returning its input when the filter is absent."""

from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, false, func, or_, select

from ingot.features.award_emoji import award_emoji
from ingot.features.issues.policy import is_assigned
from ingot.features.issues.tables import issue_assignees, issue_labels, issues
from ingot.features.labels import labels
from ingot.features.merge_requests.filters import user_named
from ingot.features.merge_requests.search import terms_of
from ingot.features.milestones import ids_matching
from ingot.kit.clock import through, today
from ingot.kit.params import ANY, NONE

Statement = Select[Any]
FIELDS = {"title": issues.c.title, "description": issues.c.description}


def by_state(found: Statement, state: str | None) -> Statement:
    """Opened or closed."""
    return found if state in (None, "", "all") else found.where(issues.c.state == state)


def by_scope(found: Statement, user_id: int | None, scope: str | None) -> Statement:
    """The caller's own issues or assignments."""
    word = (scope or "all").replace("-", "_")
    if word == "all":
        return found
    if user_id is None:
        return found.where(false())
    return found.where(issues.c.author_id == user_id if word == "created_by_me" else is_assigned(user_id))


def by_people(found: Statement, wish: Any) -> Statement:
    """Author and assignees."""
    if wish.author_id is not None:
        found = found.where(issues.c.author_id == wish.author_id)
    if wish.author_username:
        found = found.where(issues.c.author_id == user_named(wish.author_username))
    any_assignee = exists().where(issue_assignees.c.issue_id == issues.c.id)
    if wish.assignee_id is NONE:
        found = found.where(~any_assignee)
    elif wish.assignee_id is ANY:
        found = found.where(any_assignee)
    elif wish.assignee_id is not None:
        found = found.where(is_assigned(wish.assignee_id))
    for username in wish.assignee_username:
        found = found.where(is_assigned(user_named(username)))
    return found


def has_label(name: str) -> ColumnElement[bool]:
    """The issue bears a label of this exact name."""
    named = select(labels.c.id).where(labels.c.name == name)
    # By the label's own index: a rare label is found without looking at every issue.
    return issues.c.id.in_(select(issue_labels.c.issue_id).where(issue_labels.c.label_id.in_(named)))


def by_labels(found: Statement, wanted: Any) -> Statement:
    """All of the names; `None` or `Any` anywhere in the list win."""
    if isinstance(wanted, list):
        words = {name.lower() for name in wanted}
        wanted = NONE if "none" in words else ANY if "any" in words else wanted
    any_label = exists().where(issue_labels.c.issue_id == issues.c.id)
    if wanted is NONE:
        return found.where(~any_label)
    if wanted is ANY:
        return found.where(any_label)
    return found.where(*(has_label(name) for name in wanted))


def milestone_condition(title: Any, kind: str | None) -> ColumnElement[bool] | None:
    """A milestone by title, or by one of the special words."""
    if kind is not None:
        title = {"None": NONE, "Any": ANY, "Upcoming": "#upcoming", "Started": "#started"}[kind]
    if title is None or title == "":
        return None
    text = str(title).lower()
    if title is NONE or text == "no milestone":
        return issues.c.milestone_id.is_(None)
    if title is ANY or text == "any milestone":
        return issues.c.milestone_id.is_not(None)
    return issues.c.milestone_id.in_(ids_matching(title))


def reacted(user_id: int, name: str | None = None) -> ColumnElement[bool]:
    """The user reacted to the issue (with this emoji)."""
    found = exists().where(
        award_emoji.c.awardable_type == "Issue",
        award_emoji.c.awardable_id == issues.c.id,
        award_emoji.c.user_id == user_id,
    )
    return found if name is None else found.where(award_emoji.c.name == name)


def by_reaction(found: Statement, user_id: int | None, wanted: Any) -> Statement:
    """The caller's own reactions; ignored when anonymous."""
    if wanted is None or user_id is None:
        return found
    if wanted is NONE:
        return found.where(~reacted(user_id))
    return found.where(reacted(user_id, None if wanted is ANY else wanted))


def by_times(found: Statement, wish: Any) -> Statement:
    """Inclusive bounds on creation and change."""
    for column, after, before in (
        (issues.c.created_at, wish.created_after, wish.created_before),
        (issues.c.updated_at, wish.updated_after, wish.updated_before),
    ):
        if after is not None:
            found = found.where(column >= after)
        if before is not None:
            found = found.where(column <= through(before))
    return found


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
    if not terms:
        return found
    columns: list[Any] = [FIELDS[name.strip()] for name in fields.split(",") if name.strip() in FIELDS]
    columns = columns or list(FIELDS.values())
    return found.where(or_(*(and_(*(column.icontains(term, autoescape=True) for term in terms)) for column in columns)))


def negated(found: Statement, user_id: int | None, wish: Any) -> Statement:
    """`not[...]`."""
    if wish is None:
        return found
    found = found.where(*(~has_label(name) for name in wish.labels))
    milestone = milestone_condition(wish.milestone, wish.milestone_id)
    if milestone is not None:
        found = found.where(or_(issues.c.milestone_id.is_(None), ~milestone) if wish.milestone else ~milestone)
    if wish.iids:
        found = found.where(issues.c.iid.not_in(wish.iids))
    authors = [wish.author_id] if wish.author_id is not None else []
    if wish.author_username:
        authors.append(func.coalesce(user_named(wish.author_username), 0))
    for author in authors:
        found = found.where(or_(issues.c.author_id.is_(None), issues.c.author_id != author))
    assignees = [wish.assignee_id] if wish.assignee_id is not None else []
    for assignee in [*assignees, *(user_named(name) for name in wish.assignee_username)]:
        found = found.where(~is_assigned(assignee))
    if wish.weight is not None:
        found = found.where(or_(issues.c.weight.is_(None), issues.c.weight != wish.weight))
    if wish.my_reaction_emoji and user_id is not None:
        found = found.where(~reacted(user_id, wish.my_reaction_emoji))
    return found
