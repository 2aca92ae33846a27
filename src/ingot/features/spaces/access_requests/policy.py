"""Who may ask to become a member."""

from ingot.access.levels import NO_ACCESS
from ingot.access.subjects import Group, Project


def may_ask(subject: Group | Project, *, enabled: bool) -> bool:
    """Non-members, where the project or group accepts requests."""
    return enabled and not subject.level > NO_ACCESS
