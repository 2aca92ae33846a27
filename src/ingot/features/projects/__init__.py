"""Projects: reading, listing, creating, changing and deleting them."""

from ingot.features.projects.commands.activity import touch_activity
from ingot.features.projects.commands.create import NewProject, create_project
from ingot.features.projects.commands.delete import delete_for_good, delete_soon, mark_pending_delete
from ingot.features.projects.commands.fetches import record_fetch
from ingot.features.projects.commands.refresh import change_size, check_integrity, queue_refresh, refresh_head
from ingot.features.projects.commands.repository import (
    clear_place,
    initialize_with_readme,
    make_repository,
    repository_of,
)
from ingot.features.projects.commands.storage import choose_storage
from ingot.features.projects.commands.topics import recount as recount_topics
from ingot.features.projects.commands.topics import set_topics
from ingot.features.projects.commands.transfer import transfer_project
from ingot.features.projects.commands.wishes import wished
from ingot.features.projects.entities import (
    ProjectFull,
    ProjectSimple,
    Showing,
    present_full,
    present_simple,
    project_full,
    simple_by_id,
)
from ingot.features.projects.params.listing import ProjectFilters, ProjectOrder
from ingot.features.projects.params.settings import ProjectSettingsParams
from ingot.features.projects.queries.filters import base_set
from ingot.features.projects.queries.paging import page_of_projects
from ingot.features.projects.settings import ProjectSettings, project_settings, stored
from ingot.features.projects.tables import (
    project_fetches,
    project_languages,
    project_statistics,
    project_topics,
    topics,
)

__all__ = [
    "NewProject",
    "ProjectFilters",
    "ProjectFull",
    "ProjectOrder",
    "ProjectSettings",
    "ProjectSettingsParams",
    "ProjectSimple",
    "Showing",
    "base_set",
    "change_size",
    "check_integrity",
    "choose_storage",
    "clear_place",
    "create_project",
    "delete_for_good",
    "delete_soon",
    "initialize_with_readme",
    "make_repository",
    "mark_pending_delete",
    "page_of_projects",
    "present_full",
    "present_simple",
    "project_fetches",
    "project_full",
    "project_languages",
    "project_settings",
    "project_statistics",
    "project_topics",
    "queue_refresh",
    "record_fetch",
    "recount_topics",
    "refresh_head",
    "repository_of",
    "set_topics",
    "simple_by_id",
    "stored",
    "topics",
    "touch_activity",
    "transfer_project",
    "wished",
]
