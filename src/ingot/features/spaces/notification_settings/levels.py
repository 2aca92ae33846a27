"""Levels of notification, and the events that the level `custom` chooses from."""

from enum import IntEnum


class Level(IntEnum):
    """As rows, archives and the field `notification_level` of members have them."""

    DISABLED = 0
    PARTICIPATING = 1
    WATCH = 2
    GLOBAL = 3
    MENTION = 4
    CUSTOM = 5


NAMES = {level.name.lower(): level for level in Level}
EVENTS = (
    "new_release", "new_note", "new_issue", "reopen_issue", "close_issue", "reassign_issue", "issue_due",
    "new_merge_request", "push_to_merge_request", "reopen_merge_request", "close_merge_request",
    "reassign_merge_request", "change_reviewer_merge_request", "merge_merge_request", "failed_pipeline",
    "fixed_pipeline", "success_pipeline", "moved_project", "merge_when_pipeline_succeeds",
)  # fmt: skip
ON_BY_DEFAULT = ("failed_pipeline", "fixed_pipeline")
