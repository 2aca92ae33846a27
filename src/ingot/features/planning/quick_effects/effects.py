"""Effects of quick actions other than edits: time, to-do items, subscriptions and reactions."""

from datetime import UTC, datetime, time

from sqlalchemy import Connection, insert, select, update

from ingot.features.planning.award_emoji import award, award_emoji, withdraw
from ingot.features.planning.issuables import Target, get_kind
from ingot.features.planning.quick_actions import Extras, SpentTime
from ingot.features.planning.time_tracking import Spent, reset_spent, set_estimate, spend
from ingot.features.planning.todos import add, settle, todos
from ingot.kit.errors import Invalid


def apply_extras(tx: Connection, target: Target, user_id: int, extras: Extras, title: str) -> None:
    """Apply the effects; time that cannot be subtracted is ignored."""
    if "time_estimate" in extras:
        set_estimate(tx, target, user_id, extras["time_estimate"])
    if "spend_time" in extras:
        _spend(tx, target, user_id, extras["spend_time"])
    if extras.get("todo_event") == "add":
        _add_todo(tx, target, user_id, title)
    elif extras.get("todo_event") == "done":
        settle(tx, target, user_id)
    if "subscription_event" in extras:
        _subscribe(tx, target, user_id, subscribed=extras["subscription_event"] == "subscribe")
    if "emoji_award" in extras:
        _toggle(tx, target, user_id, extras["emoji_award"])


def _spend(tx: Connection, target: Target, user_id: int, spent: SpentTime) -> None:
    if not isinstance(spent["duration"], int):  # reset
        reset_spent(tx, target, user_id)
        return
    day = spent.get("spent_at")
    moment = datetime.combine(day, time(12), UTC) if day is not None else None
    try:
        spend(tx, target, user_id, Spent(spent["duration"], None, moment))
    except Invalid:  # refused before anything was written
        return


def _add_todo(tx: Connection, target: Target, user_id: int, title: str) -> None:
    pending = select(todos.c.id).where(
        todos.c.user_id == user_id,
        todos.c.target_type == target.type,
        todos.c.target_id == target.id,
        todos.c.state == "pending",
    )
    if tx.execute(pending).first() is None:
        add(tx, target, user_id, user_id, "marked", body=title)


def _subscribe(tx: Connection, target: Target, user_id: int, *, subscribed: bool) -> None:
    kind = get_kind(target.type)
    table, key = kind.subscriptions, kind.key
    own_row = (table.c[key] == target.id) & (table.c.user_id == user_id)
    if not tx.execute(update(table).where(own_row).values(subscribed=subscribed)).rowcount:
        tx.execute(insert(table).values({key: target.id, "user_id": user_id, "subscribed": subscribed}))


def _toggle(tx: Connection, target: Target, user_id: int, name: str) -> None:
    if award(tx, target.type, target.id, user_id, name) is not None:
        return
    table = award_emoji
    own_row = select(table.c.id).where(
        table.c.awardable_type == target.type,
        table.c.awardable_id == target.id,
        table.c.user_id == user_id,
        table.c.name == name,
    )
    withdraw(tx, target.type, target.id, tx.execute(own_row).scalar_one())
