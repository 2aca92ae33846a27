"""The small forms inside the full form of a project."""

from datetime import date, datetime

from msgspec import field

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
