"""Who may ask to become a member."""

from typing import Any

from ingot.access.levels import NO_ACCESS


def may_ask(subject: Any, *, enabled: bool) -> bool:
    """Whoever is no member yet, where the project or group lets people ask."""
    return enabled and not subject.level > NO_ACCESS
