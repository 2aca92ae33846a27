"""Users by name, user name or their whole public address."""

from typing import Any

from sqlalchemy import ColumnElement, Select, case, false, func, or_, select

from ingot.access.call import Call
from ingot.access.tables import members
from ingot.access.visibility import visible_groups_above, visible_groups_below
from ingot.features.people.users import HIDDEN_STATES, present_basic
from ingot.features.review.search.params import Search
from ingot.features.review.search.results import Result
from ingot.features.spaces.projects import people_of
from ingot.identity.tables import users


def find_users(call: Call[Search]) -> Result:
    """Everybody, or the people of the place; exact names first. An empty search finds nobody."""
    text = call.params.search.strip().removeprefix("@").lower()
    rows = _candidates(call).where(_named(text), users.c.state.not_in(HIDDEN_STATES), users.c.kind != "ghost")
    exact = case((users.c.username_lower == text, 0), (users.c.name_lower == text, 1), else_=2)
    return Result(rows.order_by(exact, users.c.name_lower, users.c.id), present_basic)


def _named(text: str) -> ColumnElement[bool]:
    if not text:
        return false()
    return or_(
        users.c.name_lower.contains(text, autoescape=True),
        users.c.username_lower.contains(text, autoescape=True),
        func.lower(users.c.public_email) == text,
    )


def _candidates(call: Call) -> Select[Any]:
    if call.project_or_none is not None:
        return people_of(call.actor, call.project)
    if call.group_or_none is not None:
        groups = or_(
            members.c.group_id.in_(visible_groups_above(call.actor, call.group.id)),
            members.c.group_id.in_(visible_groups_below(call.actor, call.group.id)),
        )
        return select(users).where(users.c.id.in_(select(members.c.user_id).where(groups)))
    # External users do not see the list of all users.
    return select(users).where(false()) if call.actor.is_external else select(users)
