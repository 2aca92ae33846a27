"""Choosing notifications."""

from collections.abc import Mapping

from sqlalchemy import Connection, insert, update

from ingot.access.tables import members
from ingot.features.people.users import own_addresses
from ingot.features.spaces.notification_settings.levels import EVENTS, NAMES, Level
from ingot.features.spaces.notification_settings.params import UpdateNotifications
from ingot.features.spaces.notification_settings.queries import find_setting
from ingot.features.spaces.notification_settings.rows import NotificationSettingRow
from ingot.features.spaces.notification_settings.tables import notification_settings
from ingot.kit.clock import now
from ingot.kit.errors import Failure, Invalid

PLAIN = ("notification_email", "notified_of_own_activity")


def choose(
    tx: Connection, user_id: int, place: Mapping[str, int], options: UpdateNotifications
) -> NotificationSettingRow | None:
    """Store what was sent; `place` is empty, or names the column of a project or group with its id."""
    given = {name: value for name, value in options.given().items() if value is not None}
    values: dict[str, object] = {name: given[name] for name in PLAIN if name in given}
    if "level" in given:
        values["level"] = _level(str(given["level"]))
    if values.get("notification_email") not in (None, *own_addresses(tx, user_id)):
        raise Invalid({"notification_email": ["is not an email you own"]})
    row = find_setting(tx, user_id, place)
    events = {name: given[name] for name in EVENTS if name in given}
    if events:
        values["events"] = {**({} if row is None else row.events), **events}
    if values:
        _store(tx, user_id, place, row, values)
    return find_setting(tx, user_id, place)


def _level(name: str) -> Level:
    if name not in NAMES:
        raise Failure(400, f"'{name}' is not a valid level")
    return NAMES[name]


def _store(
    tx: Connection,
    user_id: int,
    place: Mapping[str, int],
    row: NotificationSettingRow | None,
    values: Mapping[str, object],
) -> None:
    moment = now()
    if row is not None:
        changed = update(notification_settings).where(notification_settings.c.id == row.id)
        tx.execute(changed.values(**values, updated_at=moment))
    else:
        usual: dict[str, object] = {"level": Level.GLOBAL if place else Level.PARTICIPATING, "events": {}}
        new = {**usual, **place, **values, "user_id": user_id, "created_at": moment, "updated_at": moment}
        tx.execute(insert(notification_settings).values(**new))
    if place and "level" in values:
        # The same level is shown, and archived, with the membership.
        ((column, place_id),) = place.items()
        own = (members.c.user_id == user_id) & (members.c[column] == place_id)
        tx.execute(update(members).where(own).values(notification_level=values["level"]))
