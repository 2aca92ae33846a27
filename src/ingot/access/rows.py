"""Rows of projects and groups as typed records."""

from datetime import date, datetime
from typing import Any, Protocol


class NamespaceRow(Protocol):
    """A row of `namespaces`."""

    id: int
    kind: str
    owner_id: int | None
    parent_id: int | None
    name: str
    path: str
    full_path: str
    full_path_lower: str
    full_name: str
    description: str
    visibility: int
    avatar: str | None
    settings: Any
    marked_for_deletion_on: date | None
    pending_delete: bool
    created_at: datetime
    updated_at: datetime


class ListedNamespaceRow(NamespaceRow, Protocol):
    """A namespace with the actor's level in it."""

    actor_level: int


class ProjectRow(Protocol):
    """A row of `projects`."""

    id: int
    namespace_id: int
    creator_id: int | None
    name: str
    path: str
    name_lower: str
    path_lower: str
    search_text: str
    full_path: str
    full_path_lower: str
    full_name: str
    description: str | None
    description_html: str
    visibility: int
    archived: bool
    hidden: bool
    pending_delete: bool
    marked_for_deletion_on: date | None
    default_branch: str | None
    repository_storage: str
    empty_repo: bool
    readme_path: str | None
    licence_path: str | None
    licence: Any
    star_count: int
    forks_count: int
    open_issues_count: int
    forked_from_id: int | None
    import_type: str | None
    import_status: str
    import_url: str | None
    import_error: str | None
    avatar: str | None
    repository_checksum_failed: bool
    wiki_checksum_failed: bool
    checked_at: datetime | None
    settings: Any
    issues_access_level: int
    repository_access_level: int
    merge_requests_access_level: int
    forking_access_level: int
    wiki_access_level: int
    builds_access_level: int
    snippets_access_level: int
    pages_access_level: int
    analytics_access_level: int
    container_registry_access_level: int
    security_and_compliance_access_level: int
    releases_access_level: int
    environments_access_level: int
    feature_flags_access_level: int
    infrastructure_access_level: int
    monitor_access_level: int
    model_experiments_access_level: int
    model_registry_access_level: int
    requirements_access_level: int
    created_at: datetime
    updated_at: datetime
    last_activity_at: datetime


class RepositoryRow(Protocol):
    """A project, of which only the place of its repository is read."""

    id: int
    repository_storage: str


class BranchRow(RepositoryRow, Protocol):
    """A project with what is known of its default branch."""

    default_branch: str | None
    empty_repo: bool


class SettingsRow(Protocol):
    """A project or group, of which only the stored settings are read."""

    settings: Any
