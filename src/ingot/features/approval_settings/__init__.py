"""Approval settings of the instance, groups and projects, and how they combine."""

from ingot.features.approval_settings.resolution import Entry, for_group, for_project, for_projects, permits

__all__ = ["Entry", "for_group", "for_project", "for_projects", "permits"]
