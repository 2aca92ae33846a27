"""The endpoint that tells when people were last active."""

from collections.abc import Sequence
from datetime import date, timedelta

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.features.people.users import policy
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.clock import today
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.params import Paging, Param

routes = Routes("Users", scopes=("read_user",))
HALF_A_YEAR = timedelta(days=183)


class ListActivities(Paging):
    """Since when."""

    since: date | None = Param("Only people who were active on this day or later; else in half a year.", wire="from")


class UserActivity(Entity):
    """The day on which somebody was last active, twice: the second name is the old one."""

    username: str
    last_activity_on: date
    last_activity_at: date


@routes.get("/user/activities", guard=SIGNED_IN, params=ListActivities, returns=list[UserActivity])
def list_activities(call: Call[ListActivities]) -> Answer:
    """When people were last active, longest ago first; those with a private profile only for administrators."""
    since = call.params.since or today() - HALF_A_YEAR
    query = select(users).where(users.c.last_activity_on >= since, policy.shown_activities(call.actor))
    return call.page(query.order_by(users.c.last_activity_on, users.c.id), _present)


def _present(_: Call, rows: Sequence[UserRow]) -> list[UserActivity]:
    known = [(row.username, row.last_activity_on) for row in rows if row.last_activity_on is not None]
    return [UserActivity(username=name, last_activity_on=day, last_activity_at=day) for name, day in known]
