"""Approval settings of the instance, groups and projects, and how they combine."""

from ingot.features.approval_settings.resolution import (
    GROUP_DEFAULTS,
    Entry,
    for_group,
    for_project,
    for_projects,
    permits,
    resolve,
)

__all__ = ["GROUP_DEFAULTS", "Entry", "for_group", "for_project", "for_projects", "permits", "resolve"]
