"""The full form of a project: the settings of the catalogue, and the fields declared here.

`fields.py` says where each value comes from and who sees it.
"""

from datetime import date, datetime

from msgspec import field

from ingot.features.people.users import UserBasic
from ingot.features.spaces.projects.entities.simple import ProjectSimple
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS
from ingot.kit.entity import UNSET, Entity, UnsetType


class Links(Entity, kw_only=True):
    """Addresses of what belongs to the project."""

    self_: str = field(name="self")
    issues: str | UnsetType = UNSET
    merge_requests: str | UnsetType = UNSET
    repo_branches: str
    labels: str
    events: str
    members: str
    cluster_agents: str


class ExpirationPolicyShown(Entity):
    """Clean-up of container images."""

    cadence: str
    enabled: bool
    keep_n: int | None
    older_than: str | None
    name_regex: str | None
    name_regex_delete: str | None
    name_regex_keep: str | None
    next_run_at: datetime | None


class SharedWithGroup(Entity):
    """A group that the project was shared with."""

    group_id: int
    group_name: str
    group_full_path: str
    group_access_level: int
    expires_at: date | None


class Access(Entity):
    """The caller's role and notification level."""

    access_level: int
    notification_level: int | None


class Permissions(Entity):
    """The caller's memberships."""

    project_access: Access | None
    group_access: Access | None


class Statistics(Entity):
    """Counts and sizes in bytes."""

    commit_count: int
    storage_size: int
    repository_size: int
    wiki_size: int
    lfs_objects_size: int
    job_artifacts_size: int
    pipeline_artifacts_size: int
    packages_size: int
    snippets_size: int
    uploads_size: int
    container_registry_size: int


@PROJECT_SETTINGS.shown()
class ProjectFull(ProjectSimple, kw_only=True):
    """All fields; those the caller may not see are left out, and anonymous callers get the simple form."""

    forked_from_project: ProjectSimple | UnsetType = UNSET
    container_registry_image_prefix: str | UnsetType = UNSET
    links: Links | UnsetType = field(name="_links", default=UNSET)
    empty_repo: bool | UnsetType = UNSET
    archived: bool | UnsetType = UNSET
    visibility: str | UnsetType = UNSET
    owner: UserBasic | UnsetType = UNSET
    container_expiration_policy: ExpirationPolicyShown | UnsetType = UNSET
    issues_enabled: bool | UnsetType = UNSET
    merge_requests_enabled: bool | UnsetType = UNSET
    wiki_enabled: bool | UnsetType = UNSET
    jobs_enabled: bool | UnsetType = UNSET
    snippets_enabled: bool | UnsetType = UNSET
    container_registry_enabled: bool | UnsetType = UNSET
    service_desk_address: str | UnsetType | None = UNSET
    can_create_merge_request_in: bool | UnsetType = UNSET
    issues_access_level: str | UnsetType = UNSET
    repository_access_level: str | UnsetType = UNSET
    merge_requests_access_level: str | UnsetType = UNSET
    forking_access_level: str | UnsetType = UNSET
    wiki_access_level: str | UnsetType = UNSET
    builds_access_level: str | UnsetType = UNSET
    snippets_access_level: str | UnsetType = UNSET
    pages_access_level: str | UnsetType = UNSET
    analytics_access_level: str | UnsetType = UNSET
    container_registry_access_level: str | UnsetType = UNSET
    security_and_compliance_access_level: str | UnsetType = UNSET
    releases_access_level: str | UnsetType = UNSET
    environments_access_level: str | UnsetType = UNSET
    feature_flags_access_level: str | UnsetType = UNSET
    infrastructure_access_level: str | UnsetType = UNSET
    monitor_access_level: str | UnsetType = UNSET
    model_experiments_access_level: str | UnsetType = UNSET
    model_registry_access_level: str | UnsetType = UNSET
    emails_disabled: bool | UnsetType = UNSET
    creator_id: int | UnsetType | None = UNSET
    import_url: str | UnsetType | None = UNSET
    import_type: str | UnsetType | None = UNSET
    import_status: str | UnsetType = UNSET
    import_error: str | UnsetType | None = UNSET
    open_issues_count: int | UnsetType = UNSET
    description_html: str | UnsetType = UNSET
    updated_at: datetime | UnsetType = UNSET
    shared_with_groups: list[SharedWithGroup] | UnsetType = UNSET
    printing_merge_requests_link_enabled: bool | UnsetType = UNSET
    statistics: Statistics | UnsetType = UNSET
    marked_for_deletion_at: date | UnsetType | None = UNSET
    marked_for_deletion_on: date | UnsetType | None = UNSET
    requirements_enabled: bool | UnsetType = UNSET
    requirements_access_level: str | UnsetType = UNSET
    security_and_compliance_enabled: bool | UnsetType = UNSET
    secret_push_protection_enabled: bool | UnsetType = UNSET
    permissions: Permissions | UnsetType = UNSET
