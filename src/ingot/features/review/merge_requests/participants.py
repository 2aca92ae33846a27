"""Participants of a merge request, found with one index step per user, however many comments there are."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select, union

from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.notes import NAMES_PEOPLE, notes
from ingot.features.review.merge_requests.mentions import mentioned_names
from ingot.features.review.merge_requests.rows import MergeRequestRow
from ingot.features.review.merge_requests.tables import merge_request_assignees, merge_request_reviewers, merge_requests
from ingot.identity.tables import users

# Users mentioned only in older comments are left out.
MOST_NAMING = 1000


def taking_part(conn: Connection, row: MergeRequestRow, *, with_internal: bool) -> ColumnElement[bool]:
    """Condition on users: author, assignees, reviewers, commenters, reactors, and mentioned users.

    `with_internal`: by internal notes too.
    """
    here = _on(row) if with_internal else and_(_on(row), ~notes.c.internal)
    parts: Sequence[Any] = (
        select(merge_requests.c.author_id.label("user_id")).where(merge_requests.c.id == row.id),
        select(merge_request_assignees.c.user_id).where(merge_request_assignees.c.merge_request_id == row.id),
        select(merge_request_reviewers.c.user_id).where(merge_request_reviewers.c.merge_request_id == row.id),
        _commenters(here),
        select(award_emoji.c.user_id).where(
            award_emoji.c.awardable_type == "MergeRequest", award_emoji.c.awardable_id == row.id
        ),
    )
    part = union(*parts).subquery()
    return or_(users.c.id.in_(select(part.c.user_id)), users.c.username_lower.in_(_named(conn, row, here)))


def _on(row: MergeRequestRow) -> ColumnElement[bool]:
    return and_(notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == row.id)


def _commenters(here: ColumnElement[bool]) -> Select[Any]:
    """Steps from one author to the next in the index: otherwise databases read every comment."""
    comments = and_(here, ~notes.c.system)
    seen = select(func.min(notes.c.author_id).label("id")).where(comments).cte("commenters", recursive=True)
    following = select(func.min(notes.c.author_id)).where(comments, notes.c.author_id > seen.c.id).correlate(seen)
    everybody = seen.union_all(select(following.scalar_subquery()).select_from(seen).where(seen.c.id.is_not(None)))
    return select(everybody.c.id).where(everybody.c.id.is_not(None))


def _named(conn: Connection, row: MergeRequestRow, here: ColumnElement[bool]) -> list[str]:
    newest = select(notes.c.body).where(here, NAMES_PEOPLE).order_by(notes.c.id.desc()).limit(MOST_NAMING)
    return mentioned_names([row.description or "", *conn.execute(newest).scalars()])
