"""Rows of notification settings as typed records."""

from collections.abc import Mapping
from typing import Protocol


class NotificationSettingRow(Protocol):
    """A row of `notification_settings`."""

    id: int
    user_id: int
    project_id: int | None
    group_id: int | None
    level: int
    events: Mapping[str, bool]
    notification_email: str | None
    notified_of_own_activity: bool
