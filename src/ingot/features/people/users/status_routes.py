"""Endpoints of followers and user statuses."""

from datetime import timedelta

from sqlalchemy import ColumnElement, select

from ingot.access.call import Call
from ingot.access.policy import ANYONE, SIGNED_IN
from ingot.features.people.users import policy, queries
from ingot.features.people.users.entities import BASIC_COLUMNS, UserBasic, UserStatus, present_basic
from ingot.features.people.users.tables import follows, statuses
from ingot.identity.authentication import user_by_name_or_id
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire_or_none
from ingot.kit.errors import Invalid, NotFound
from ingot.kit.params import Paging, Param, Params

status = Routes("Users", scopes=("read_user",))

CLEAR_AFTER = {
    "30_minutes": timedelta(minutes=30), "3_hours": timedelta(hours=3), "8_hours": timedelta(hours=8),
    "1_day": timedelta(days=1), "3_days": timedelta(days=3), "7_days": timedelta(days=7),
    "30_days": timedelta(days=30),
}  # fmt: skip


class SetStatus(Params):
    """A new status; what is left out is cleared."""

    emoji: str | None = Param("Name of an emoji.", max_length=64)
    message: str | None = Param("At most 100 characters.")
    availability: str | None = Param("Availability.", one_of=("not_set", "busy"))
    clear_status_after: str | None = Param("Clear the status after this time.", one_of=tuple(CLEAR_AFTER))


@status.get("/users/{id:int}/followers", guard=SIGNED_IN, params=Paging, returns=list[UserBasic])
def list_followers(call: Call[Paging]) -> Answer:
    """Who follows a user."""
    return _follow_page(call, follows.c.follower_id, follows.c.followee_id)


@status.get("/users/{id:int}/following", guard=SIGNED_IN, params=Paging, returns=list[UserBasic])
def list_followed_users(call: Call[Paging]) -> Answer:
    """Whom a user follows."""
    return _follow_page(call, follows.c.followee_id, follows.c.follower_id)


def _follow_page(call: Call, listed_user: ColumnElement[int], known_user: ColumnElement[int]) -> Answer:
    row = queries.get_user(call.conn, int(call.path["id"]))
    if not policy.may_see_follows(call.actor, row):
        raise NotFound("User")
    query = select(*BASIC_COLUMNS).join_from(follows, users, users.c.id == listed_user).where(known_user == row.id)
    return call.page(query.order_by(users.c.id.desc()), present_basic)


@status.get("/user/status", guard=SIGNED_IN, returns=UserStatus)
def get_current_user_status(call: Call) -> Answer:
    """The caller's status."""
    return _status(call, call.actor.id)


@status.get("/users/{user_id}/status", guard=ANYONE, returns=UserStatus)
def get_user_status(call: Call) -> Answer:
    """A user's status, by id or username."""
    row = user_by_name_or_id(call.conn, call.path["user_id"])
    if row is None:
        raise NotFound("User")
    return _status(call, row.id)


@status.put("/user/status", guard=SIGNED_IN, params=SetStatus, returns=UserStatus)
def set_current_user_status(call: Call[SetStatus]) -> Answer:
    """Replace the caller's status; what is left out is cleared."""
    options = call.params
    if len(options.message or "") > 100:
        raise Invalid({"message": ["is too long (maximum is 100 characters)"]})
    return _store_status(call, options)


@status.patch("/user/status", guard=SIGNED_IN, params=SetStatus, returns=UserStatus)
def change_current_user_status(call: Call[SetStatus]) -> Answer:
    """Change the parts of the caller's status that are sent."""
    options = call.params
    if len(options.message or "") > 100:
        raise Invalid({"message": ["is too long (maximum is 100 characters)"]})
    row = call.conn.execute(select(statuses).where(statuses.c.user_id == call.actor.id)).one_or_none()
    for name in ("emoji", "message", "availability"):
        if name not in options.sent and row is not None:
            setattr(options, name, getattr(row, name))
    return _store_status(call, options)


def _store_status(call: Call, options: SetStatus) -> UserStatus:
    with call.write() as tx:
        take_turn(tx, f"status:{call.actor.id}")
        tx.execute(statuses.delete().where(statuses.c.user_id == call.actor.id))
        if options.emoji or options.message or options.availability:
            after = options.clear_status_after
            tx.execute(
                statuses.insert().values(
                    user_id=call.actor.id,
                    emoji=options.emoji or "speech_balloon",
                    message=options.message or "",
                    availability=options.availability or "not_set",
                    clear_at=None if after is None else now() + CLEAR_AFTER[after],
                )
            )
    return _status(call, call.actor.id)


def _status(call: Call, user_id: int) -> UserStatus:
    row = call.conn.execute(select(statuses).where(statuses.c.user_id == user_id)).one_or_none()
    if row is None or (row.clear_at is not None and row.clear_at <= now()):
        return UserStatus(emoji=None, message=None, availability=None, message_html="", clear_status_at=None)
    text = row.message.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return UserStatus(
        emoji=row.emoji,
        message=row.message,
        availability=row.availability,
        message_html=text,
        clear_status_at=wire_or_none(row.clear_at),
    )
