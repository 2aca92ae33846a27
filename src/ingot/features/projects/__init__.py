"""Projects: reading, listing, creating, changing and deleting them."""

from ingot.features.projects.commands.activity import touch_activity
from ingot.features.projects.commands.create import NewProject, create_project
from ingot.features.projects.commands.delete import delete_for_good, mark_pending_delete
from ingot.features.projects.commands.repository import initialize_with_readme, make_repository, repository_of
from ingot.features.projects.entities import (
    ProjectFull,
    ProjectSimple,
    Showing,
    present_full,
    present_simple,
    project_full,
    simple_by_id,
)
from ingot.features.projects.settings import ProjectSettings, project_settings
from ingot.features.projects.tables import project_statistics

__all__ = [
    "NewProject",
    "ProjectFull",
    "ProjectSettings",
    "ProjectSimple",
    "Showing",
    "create_project",
    "delete_for_good",
    "initialize_with_readme",
    "make_repository",
    "mark_pending_delete",
    "present_full",
    "present_simple",
    "project_full",
    "project_settings",
    "project_statistics",
    "repository_of",
    "simple_by_id",
    "touch_activity",
]
