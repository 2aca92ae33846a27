"""Approval settings of the instance, groups and projects, and how they combine."""

from ingot.features.review.approval_settings.commands import change_project
from ingot.features.review.approval_settings.resolution import (
    GROUP_DEFAULTS,
    PROJECT_DEFAULTS,
    Entry,
    for_project,
    for_projects,
    permits,
    project_choices,
    resolve,
)
from ingot.features.review.approval_settings.tables import project_approval_settings

__all__ = [
    "GROUP_DEFAULTS",
    "PROJECT_DEFAULTS",
    "Entry",
    "change_project",
    "for_project",
    "for_projects",
    "permits",
    "project_approval_settings",
    "project_choices",
    "resolve",
]  # fmt: skip
