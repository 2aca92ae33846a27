"""The full form of a project, field by field; `fields.py` says where each value comes from and who sees it."""

from datetime import date, datetime

from msgspec import field

from ingot.features.people.users import UserBasic
from ingot.features.spaces.projects.entities.simple import ProjectSimple
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


class ProjectFull(ProjectSimple, kw_only=True):
    """All fields; those the caller may not see are left out, and anonymous callers get the simple form."""

    forked_from_project: ProjectSimple | UnsetType = UNSET
    container_registry_image_prefix: str | UnsetType = UNSET
    links: Links | UnsetType = field(name="_links", default=UNSET)
    packages_enabled: bool | UnsetType = UNSET
    empty_repo: bool | UnsetType = UNSET
    archived: bool | UnsetType = UNSET
    visibility: str | UnsetType = UNSET
    owner: UserBasic | UnsetType = UNSET
    resolve_outdated_diff_discussions: bool | UnsetType = UNSET
    container_expiration_policy: ExpirationPolicyShown | UnsetType = UNSET
    repository_object_format: str | UnsetType = UNSET
    issues_enabled: bool | UnsetType = UNSET
    merge_requests_enabled: bool | UnsetType = UNSET
    wiki_enabled: bool | UnsetType = UNSET
    jobs_enabled: bool | UnsetType = UNSET
    snippets_enabled: bool | UnsetType = UNSET
    container_registry_enabled: bool | UnsetType = UNSET
    service_desk_enabled: bool | UnsetType = UNSET
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
    emails_enabled: bool | UnsetType = UNSET
    shared_runners_enabled: bool | UnsetType = UNSET
    lfs_enabled: bool | UnsetType = UNSET
    creator_id: int | UnsetType | None = UNSET
    mr_default_target_self: bool | UnsetType = UNSET
    import_url: str | UnsetType | None = UNSET
    import_type: str | UnsetType | None = UNSET
    import_status: str | UnsetType = UNSET
    import_error: str | UnsetType | None = UNSET
    open_issues_count: int | UnsetType = UNSET
    description_html: str | UnsetType = UNSET
    updated_at: datetime | UnsetType = UNSET
    ci_default_git_depth: int | UnsetType | None = UNSET
    ci_delete_pipelines_in_seconds: int | UnsetType | None = UNSET
    ci_forward_deployment_enabled: bool | UnsetType = UNSET
    ci_forward_deployment_rollback_allowed: bool | UnsetType = UNSET
    ci_job_token_scope_enabled: bool | UnsetType = UNSET
    ci_separated_caches: bool | UnsetType = UNSET
    ci_allow_fork_pipelines_to_run_in_parent_project: bool | UnsetType = UNSET
    ci_id_token_sub_claim_components: list[str] | UnsetType = UNSET
    build_git_strategy: str | UnsetType = UNSET
    keep_latest_artifact: bool | UnsetType = UNSET
    restrict_user_defined_variables: bool | UnsetType = UNSET
    ci_pipeline_variables_minimum_override_role: str | UnsetType = UNSET
    runners_token: str | UnsetType = UNSET
    runner_token_expiration_interval: int | UnsetType | None = UNSET
    group_runners_enabled: bool | UnsetType = UNSET
    auto_cancel_pending_pipelines: str | UnsetType = UNSET
    build_timeout: int | UnsetType = UNSET
    auto_devops_enabled: bool | UnsetType = UNSET
    auto_devops_deploy_strategy: str | UnsetType = UNSET
    ci_push_repository_for_job_token_allowed: bool | UnsetType = UNSET
    ci_config_path: str | UnsetType | None = UNSET
    public_jobs: bool | UnsetType = UNSET
    shared_with_groups: list[SharedWithGroup] | UnsetType = UNSET
    only_allow_merge_if_pipeline_succeeds: bool | UnsetType = UNSET
    allow_merge_on_skipped_pipeline: bool | UnsetType | None = UNSET
    request_access_enabled: bool | UnsetType = UNSET
    only_allow_merge_if_all_discussions_are_resolved: bool | UnsetType = UNSET
    remove_source_branch_after_merge: bool | UnsetType = UNSET
    printing_merge_request_link_enabled: bool | UnsetType = UNSET
    printing_merge_requests_link_enabled: bool | UnsetType = UNSET
    merge_method: str | UnsetType = UNSET
    squash_option: str | UnsetType = UNSET
    enforce_auth_checks_on_uploads: bool | UnsetType = UNSET
    suggestion_commit_message: str | UnsetType | None = UNSET
    merge_commit_template: str | UnsetType | None = UNSET
    squash_commit_template: str | UnsetType | None = UNSET
    issue_branch_template: str | UnsetType | None = UNSET
    statistics: Statistics | UnsetType = UNSET
    warn_about_potentially_unwanted_characters: bool | UnsetType = UNSET
    autoclose_referenced_issues: bool | UnsetType = UNSET
    max_artifacts_size: int | UnsetType | None = UNSET
    approvals_before_merge: int | UnsetType = UNSET
    mirror: bool | UnsetType = UNSET
    mirror_user_id: int | UnsetType | None = UNSET
    mirror_trigger_builds: bool | UnsetType = UNSET
    only_mirror_protected_branches: bool | UnsetType = UNSET
    mirror_overwrites_diverged_branches: bool | UnsetType = UNSET
    external_authorization_classification_label: str | UnsetType | None = UNSET
    marked_for_deletion_at: date | UnsetType | None = UNSET
    marked_for_deletion_on: date | UnsetType | None = UNSET
    requirements_enabled: bool | UnsetType = UNSET
    requirements_access_level: str | UnsetType = UNSET
    security_and_compliance_enabled: bool | UnsetType = UNSET
    compliance_frameworks: list[str] | UnsetType = UNSET
    pre_receive_secret_detection_enabled: bool | UnsetType = UNSET
    secret_push_protection_enabled: bool | UnsetType = UNSET
    issues_template: str | UnsetType | None = UNSET
    merge_requests_template: str | UnsetType | None = UNSET
    ci_restrict_pipeline_cancellation_role: str | UnsetType = UNSET
    merge_pipelines_enabled: bool | UnsetType = UNSET
    merge_trains_enabled: bool | UnsetType = UNSET
    merge_trains_skip_train_allowed: bool | UnsetType = UNSET
    only_allow_merge_if_all_status_checks_passed: bool | UnsetType = UNSET
    allow_pipeline_trigger_approve_deployment: bool | UnsetType = UNSET
    prevent_merge_without_jira_issue: bool | UnsetType = UNSET
    permissions: Permissions | UnsetType = UNSET
