"""Parts of answers shared by issues and merge requests."""

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
