"""Projects: reading, listing, creating, changing and deleting them."""

from ingot.features.spaces.projects.checked_repositories import looks_at_repositories
from ingot.features.spaces.projects.commands.activity import touch_activity
from ingot.features.spaces.projects.commands.create import NewProject, create_project
from ingot.features.spaces.projects.commands.delete import delete_for_good, delete_soon, mark_pending_delete
from ingot.features.spaces.projects.commands.fetches import record_fetches
from ingot.features.spaces.projects.commands.filling import empty_if_canceled, filling_keys, mark_canceled
from ingot.features.spaces.projects.commands.mirrors import finds_protected_branches
from ingot.features.spaces.projects.commands.refresh import (
    change_size,
    check_integrity,
    follows_refresh,
    queue_packing,
    queue_refresh,
)
from ingot.features.spaces.projects.commands.repository import (
    clear_place,
    initialize_with_readme,
    make_repository,
    repository_of,
)
from ingot.features.spaces.projects.commands.requested_settings import requested_settings
from ingot.features.spaces.projects.commands.settling import is_settling
from ingot.features.spaces.projects.commands.settling_storage import settle_storage
from ingot.features.spaces.projects.commands.storage import choose_storage
from ingot.features.spaces.projects.commands.texts import search_values
from ingot.features.spaces.projects.commands.topics import recount as recount_topics
from ingot.features.spaces.projects.commands.topics import set_topics
from ingot.features.spaces.projects.commands.transfer import transfer_project
from ingot.features.spaces.projects.entities import (
    ProjectFull,
    ProjectIdentity,
    ProjectSimple,
    Showing,
    identity_values,
    present_full,
    present_simple,
    project_identity,
    simple_by_id,
)
from ingot.features.spaces.projects.entities.hidden_issues import hidden_issue_source
from ingot.features.spaces.projects.kept_commits import keeps_commits
from ingot.features.spaces.projects.markdown import to_html, to_html_together
from ingot.features.spaces.projects.params.listing import ListProjects
from ingot.features.spaces.projects.params.settings import ProjectSettingsParams
from ingot.features.spaces.projects.paths import visible_paths
from ingot.features.spaces.projects.policy import CREATE_MERGE_REQUEST_IN, READ_WIKI
from ingot.features.spaces.projects.queries.filters import base_set
from ingot.features.spaces.projects.queries.large_files import lfs_of_namespaces, offers_lfs
from ingot.features.spaces.projects.queries.listing import Base
from ingot.features.spaces.projects.queries.paging import page_of_projects
from ingot.features.spaces.projects.queries.people import people_of, starred_among
from ingot.features.spaces.projects.queries.search import condition as found_projects
from ingot.features.spaces.projects.queries.search import find as search_projects
from ingot.features.spaces.projects.queries.size_limits import SizeLimit, find_size_limit
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS, ProjectSettings, project_settings, stored
from ingot.features.spaces.projects.tables import project_stars, project_statistics, project_topics, topics

__all__ = [
    "CREATE_MERGE_REQUEST_IN",
    "PROJECT_SETTINGS",
    "READ_WIKI",
    "Base",
    "ListProjects",
    "NewProject",
    "ProjectFull",
    "ProjectIdentity",
    "ProjectSettings",
    "ProjectSettingsParams",
    "ProjectSimple",
    "Showing",
    "SizeLimit",
    "base_set",
    "change_size",
    "check_integrity",
    "choose_storage",
    "clear_place",
    "create_project",
    "delete_for_good",
    "delete_soon",
    "empty_if_canceled",
    "filling_keys",
    "find_size_limit",
    "finds_protected_branches",
    "follows_refresh",
    "found_projects",
    "hidden_issue_source",
    "identity_values",
    "initialize_with_readme",
    "is_settling",
    "keeps_commits",
    "lfs_of_namespaces",
    "looks_at_repositories",
    "make_repository",
    "mark_canceled",
    "mark_pending_delete",
    "offers_lfs",
    "page_of_projects",
    "people_of",
    "present_full",
    "present_simple",
    "project_identity",
    "project_settings",
    "project_stars",
    "project_statistics",
    "project_topics",
    "queue_packing",
    "queue_refresh",
    "record_fetches",
    "recount_topics",
    "repository_of",
    "requested_settings",
    "search_projects",
    "search_values",
    "set_topics",
    "settle_storage",
    "simple_by_id",
    "starred_among",
    "stored",
    "to_html",
    "to_html_together",
    "topics",
    "touch_activity",
    "transfer_project",
    "visible_paths",
]  # fmt: skip
