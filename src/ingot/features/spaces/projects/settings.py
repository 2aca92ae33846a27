"""The settings of a project that are shown and obeyed but never filtered, with the values of a fresh project.

Only what somebody set is stored (`projects.settings`); everything else has the default written here.
"""

from datetime import datetime
from typing import Any

import msgspec


class ExpirationPolicy(msgspec.Struct, kw_only=True, omit_defaults=True):
    """When images of the container registry are cleaned up."""

    cadence: str = "1d"
    enabled: bool = False
    keep_n: int | None = 10
    older_than: str | None = "90d"
    name_regex: str | None = ".*"
    name_regex_keep: str | None = None
    next_run_at: datetime | None = None


class ProjectSettings(msgspec.Struct, kw_only=True, omit_defaults=True):
    """All settings; names are those of the wire."""

    # What the project offers
    packages_enabled: bool = True
    lfs_enabled: bool = True
    request_access_enabled: bool = True
    service_desk_enabled: bool | None = None  # None: as the instance
    emails_enabled: bool = True
    show_default_award_emojis: bool = True
    show_diff_preview_in_email: bool = True
    container_expiration_policy: ExpirationPolicy = msgspec.field(default_factory=ExpirationPolicy)
    repository_object_format: str = "sha1"
    external_authorization_classification_label: str | None = None
    compliance_frameworks: list[str] = msgspec.field(default_factory=list)
    pre_receive_secret_detection_enabled: bool = False
    warn_about_potentially_unwanted_characters: bool = True
    enforce_auth_checks_on_uploads: bool = True

    # Merge requests and issues
    merge_method: str = "merge"
    squash_option: str = "default_off"
    resolve_outdated_diff_discussions: bool = False
    only_allow_merge_if_pipeline_succeeds: bool = False
    allow_merge_on_skipped_pipeline: bool | None = None
    only_allow_merge_if_all_discussions_are_resolved: bool = False
    only_allow_merge_if_all_status_checks_passed: bool = False
    remove_source_branch_after_merge: bool = True
    printing_merge_request_link_enabled: bool = True
    autoclose_referenced_issues: bool = True
    suggestion_commit_message: str | None = None
    merge_commit_template: str | None = None
    squash_commit_template: str | None = None
    issue_branch_template: str | None = None
    issues_template: str | None = None
    merge_requests_template: str | None = None
    approvals_before_merge: int = 0
    mr_default_target_self: bool = False
    merge_pipelines_enabled: bool = False
    merge_trains_enabled: bool = False
    merge_trains_skip_train_allowed: bool = False
    prevent_merge_without_jira_issue: bool = False

    # CI
    public_jobs: bool = True
    shared_runners_enabled: bool = True
    group_runners_enabled: bool = True
    ci_default_git_depth: int | None = 20
    ci_delete_pipelines_in_seconds: int | None = None
    ci_forward_deployment_enabled: bool = True
    ci_forward_deployment_rollback_allowed: bool = True
    ci_job_token_scope_enabled: bool = False
    ci_inbound_job_token_scope_enabled: bool = True
    ci_separated_caches: bool = True
    ci_allow_fork_pipelines_to_run_in_parent_project: bool = True
    ci_id_token_sub_claim_components: list[str] = msgspec.field(
        default_factory=lambda: ["project_path", "ref_type", "ref"]
    )
    ci_config_path: str | None = None
    ci_pipeline_variables_minimum_override_role: str = "maintainer"
    ci_restrict_pipeline_cancellation_role: str = "developer"
    ci_push_repository_for_job_token_allowed: bool = False
    build_git_strategy: str = "fetch"
    build_timeout: int = 3600
    build_coverage_regex: str | None = None
    keep_latest_artifact: bool = True
    max_artifacts_size: int | None = None  # megabytes; None: as the closest group, else the instance
    restrict_user_defined_variables: bool = False
    auto_cancel_pending_pipelines: str = "enabled"
    auto_devops_enabled: bool | None = None  # None: as the instance
    auto_devops_deploy_strategy: str = "continuous"
    runners_token: str = ""
    runner_token_expiration_interval: int | None = None
    allow_pipeline_trigger_approve_deployment: bool = False

    # Mirroring
    mirror: bool = False
    mirror_user_id: int | None = None
    mirror_trigger_builds: bool = False
    only_mirror_protected_branches: bool = False
    mirror_overwrites_diverged_branches: bool = False


SETTING_NAMES = frozenset(ProjectSettings.__struct_fields__)


def project_settings(project: Any) -> ProjectSettings:
    """The settings of a loaded project (or of any row with the `settings` column)."""
    return msgspec.convert(project.settings or {}, ProjectSettings)


def stored(settings: ProjectSettings) -> dict[str, Any]:
    """What goes into the column: only what differs from a fresh project."""
    result: dict[str, Any] = msgspec.to_builtins(settings)
    return result
