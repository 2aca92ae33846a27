"""Endpoints of the caller's notification settings."""

from ingot.access.call import Call
from ingot.access.policy import READ_GROUP_SIGNED_IN, READ_PROJECT_SIGNED_IN, SIGNED_IN
from ingot.features.people.users import own_addresses
from ingot.features.spaces.notification_settings.commands import choose
from ingot.features.spaces.notification_settings.entities import (
    GeneralNotificationSetting,
    NotificationSetting,
    general_setting,
    place_setting,
)
from ingot.features.spaces.notification_settings.params import UpdateGeneralNotifications, UpdateNotifications
from ingot.features.spaces.notification_settings.queries import find_setting
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Notification settings", guard=SIGNED_IN)


@routes.get("/notification_settings", returns=GeneralNotificationSetting)
def get_notification_settings(call: Call) -> Answer:
    """What the caller wants to be mailed in general."""
    return general_setting(find_setting(call.conn, call.actor.id, {}), own_addresses(call.conn, call.actor.id))


@routes.put("/notification_settings", params=UpdateGeneralNotifications, returns=GeneralNotificationSetting)
def update_notification_settings(call: Call[UpdateGeneralNotifications]) -> Answer:
    """Choose what is mailed in general, and to which address."""
    with call.write() as tx:
        row = choose(tx, call.actor.id, {}, call.params)
    return general_setting(row, own_addresses(call.conn, call.actor.id))


@routes.get("/projects/{id}/notification_settings", guard=READ_PROJECT_SIGNED_IN, returns=NotificationSetting)
def get_project_notification_settings(call: Call) -> Answer:
    """What the caller wants to be mailed about a project."""
    return place_setting(find_setting(call.conn, call.actor.id, {"project_id": call.project.id}))


@routes.put(
    "/projects/{id}/notification_settings",
    guard=READ_PROJECT_SIGNED_IN,
    params=UpdateNotifications,
    returns=NotificationSetting,
)
def update_project_notification_settings(call: Call[UpdateNotifications]) -> Answer:
    """Choose what is mailed about a project."""
    with call.write() as tx:
        row = choose(tx, call.actor.id, {"project_id": call.project.id}, call.params)
    return place_setting(row)


@routes.get("/groups/{id}/notification_settings", guard=READ_GROUP_SIGNED_IN, returns=NotificationSetting)
def get_group_notification_settings(call: Call) -> Answer:
    """What the caller wants to be mailed about a group and all that is in it."""
    return place_setting(find_setting(call.conn, call.actor.id, {"group_id": call.group.id}))


@routes.put(
    "/groups/{id}/notification_settings",
    guard=READ_GROUP_SIGNED_IN,
    params=UpdateNotifications,
    returns=NotificationSetting,
)
def update_group_notification_settings(call: Call[UpdateNotifications]) -> Answer:
    """Choose what is mailed about a group and all that is in it."""
    with call.write() as tx:
        row = choose(tx, call.actor.id, {"group_id": call.group.id}, call.params)
    return place_setting(row)
