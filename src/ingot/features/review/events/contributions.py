"""How much somebody contributed on each day of the last year, as far as the reader may see it."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, String, and_, cast, func, or_, select

from ingot.access.tables import projects
from ingot.features.people.event_log import events
from ingot.features.review.events import policy
from ingot.features.review.events.policy import visible_events
from ingot.identity.authentication import user_by_name_or_id
from ingot.kit.actor import Actor
from ingot.kit.clock import now

SPAN = timedelta(days=365)
# Besides pushes and comments.
ACTIONS = ("created", "closed", "merged", "approved")
TARGETS = ("Issue", "MergeRequest")


def contributions_of(conn: Connection, actor: Actor, user_id: int) -> dict[str, int]:
    """As `contributions`; nothing of people whom the reader may not see, or who hide their activity."""
    user = user_by_name_or_id(conn, str(user_id))
    if user is None or not policy.may_see(actor, user) or not policy.shows_activity(actor, user):
        return {}
    return dict(contributions(conn, actor, user.id))


def contributions(conn: Connection, actor: Actor, user_id: int) -> Mapping[str, int]:
    """The number of contributions by day (`YYYY-MM-DD`, UTC); days without any are left out."""
    day = _day(conn).label("day")
    query = (
        select(day, func.count().label("number"))
        .join_from(events, projects, projects.c.id == events.c.project_id)
        .where(events.c.author_id == user_id, events.c.created_at >= now() - SPAN, is_contribution())
        .where(visible_events(actor))
        .group_by(day)
        .order_by(day)
    )
    return {str(row.day): row.number for row in conn.execute(query)}


def is_contribution() -> ColumnElement[bool]:
    """Condition on `events`: it counts in the calendar."""
    of_records = and_(events.c.action.in_(ACTIONS), events.c.target_type.in_(TARGETS))
    return or_(events.c.action.in_(("pushed", "commented")), of_records)


def _day(conn: Connection) -> ColumnElement[str]:
    moment = events.c.created_at
    if conn.dialect.name == "postgresql":
        return func.to_char(func.timezone("UTC", moment), "YYYY-MM-DD")
    return func.substr(cast(moment, String), 1, 10)
