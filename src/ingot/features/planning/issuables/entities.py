"""Parts that issues and merge requests show alike."""

from ingot.kit.entity import Entity


class References(Entity):
    """How to name it in texts."""

    short: str
    relative: str
    full: str


class TaskCompletion(Entity):
    """Task items of the description."""

    count: int
    completed_count: int
