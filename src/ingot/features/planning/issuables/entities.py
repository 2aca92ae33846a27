"""Parts of answers shared by issues and merge requests."""

from datetime import datetime

from ingot.features.people.users import UserBasic
from ingot.kit.entity import Entity


class References(Entity):
    """References to it in texts."""

    short: str
    relative: str
    full: str


class TaskCompletion(Entity):
    """Task items of the description."""

    count: int
    completed_count: int


class StateEvent(Entity):
    """One state change."""

    id: int
    user: UserBasic | None
    created_at: datetime
    resource_type: str
    resource_id: int
    state: str
