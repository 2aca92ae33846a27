"""Notification settings on the wire."""

from collections.abc import Sequence

from ingot.features.spaces.notification_settings.levels import EVENTS, Level
from ingot.features.spaces.notification_settings.rows import NotificationSettingRow
from ingot.kit.entity import UNSET, Entity, UnsetType


class NotificationEvents(Entity):
    """Which events are mailed at the level `custom`."""

    new_release: bool = False
    new_note: bool = False
    new_issue: bool = False
    reopen_issue: bool = False
    close_issue: bool = False
    reassign_issue: bool = False
    issue_due: bool = False
    new_merge_request: bool = False
    push_to_merge_request: bool = False
    reopen_merge_request: bool = False
    close_merge_request: bool = False
    reassign_merge_request: bool = False
    change_reviewer_merge_request: bool = False
    merge_merge_request: bool = False
    failed_pipeline: bool = True
    fixed_pipeline: bool = True
    success_pipeline: bool = False
    moved_project: bool = False
    merge_when_pipeline_succeeds: bool = False


class NotificationSetting(Entity):
    """What the caller wants to be mailed about a project or a group."""

    level: str
    events: NotificationEvents | UnsetType = UNSET


class GeneralNotificationSetting(NotificationSetting, kw_only=True):
    """What the caller wants to be mailed about everything else, and to which address."""

    notification_email: str | None
    notified_of_own_activity: bool


def place_setting(row: NotificationSettingRow | None) -> NotificationSetting:
    """The setting of a place; without one the general setting counts."""
    level = Level.GLOBAL if row is None else Level(row.level)
    return NotificationSetting(level=level.name.lower(), events=_events(row))


def general_setting(row: NotificationSettingRow | None, addresses: Sequence[str]) -> GeneralNotificationSetting:
    """The general setting of somebody with these addresses; the first is used where none of them was chosen."""
    chosen = None if row is None else row.notification_email
    level = Level.PARTICIPATING if row is None else Level(row.level)
    return GeneralNotificationSetting(
        level=level.name.lower(),
        events=_events(row),
        notification_email=chosen if chosen in addresses else next(iter(addresses), ""),
        notified_of_own_activity=row is not None and row.notified_of_own_activity,
    )


def _events(row: NotificationSettingRow | None) -> NotificationEvents | UnsetType:
    if row is None or row.level != Level.CUSTOM:
        return UNSET
    return NotificationEvents(**{name: value for name, value in row.events.items() if name in EVENTS})
