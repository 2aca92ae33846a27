"""Where each field of the full form comes from, and who sees it. Blocks are added, never taken away."""

from typing import Any
from urllib.parse import urlsplit

from ingot.access import policy
from ingot.access.levels import FEATURES, Feature, Visibility
from ingot.access.subjects import Project
from ingot.features.spaces.projects import policy as own
from ingot.features.spaces.projects.entities.full import ExpirationPolicyShown, Links
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.kit.actor import Actor
from ingot.kit.entity import wire, wire_or_none
from ingot.settings import Settings

# Settings that everybody who sees the project sees, under the same name.
OPEN_SETTINGS = (
    "packages_enabled", "resolve_outdated_diff_discussions", "repository_object_format", "emails_enabled",
    "shared_runners_enabled", "lfs_enabled", "public_jobs", "only_allow_merge_if_pipeline_succeeds",
    "allow_merge_on_skipped_pipeline", "request_access_enabled", "only_allow_merge_if_all_discussions_are_resolved",
    "remove_source_branch_after_merge", "printing_merge_request_link_enabled", "merge_method", "squash_option",
    "enforce_auth_checks_on_uploads", "suggestion_commit_message", "merge_commit_template", "squash_commit_template",
    "issue_branch_template", "warn_about_potentially_unwanted_characters", "autoclose_referenced_issues",
    "max_artifacts_size",
)  # fmt: skip

# Settings of CI and runners: Maintainers, Owners and administrators.
MAINTAINER_SETTINGS = (
    "ci_default_git_depth", "ci_delete_pipelines_in_seconds", "ci_forward_deployment_enabled",
    "ci_forward_deployment_rollback_allowed", "ci_job_token_scope_enabled", "ci_separated_caches",
    "ci_allow_fork_pipelines_to_run_in_parent_project", "ci_id_token_sub_claim_components", "build_git_strategy",
    "keep_latest_artifact", "restrict_user_defined_variables", "ci_pipeline_variables_minimum_override_role",
    "runners_token", "runner_token_expiration_interval", "group_runners_enabled", "auto_cancel_pending_pipelines",
    "build_timeout", "auto_devops_deploy_strategy", "ci_push_repository_for_job_token_allowed",
)  # fmt: skip

PREMIUM_SETTINGS = (
    "approvals_before_merge", "mirror", "external_authorization_classification_label", "compliance_frameworks",
    "merge_pipelines_enabled", "merge_trains_enabled", "merge_trains_skip_train_allowed",
    "allow_pipeline_trigger_approve_deployment", "prevent_merge_without_jira_issue",
)  # fmt: skip

MIRROR_SETTINGS = (
    "mirror_user_id", "mirror_trigger_builds", "only_mirror_protected_branches", "mirror_overwrites_diverged_branches",
)  # fmt: skip

FEATURE_WORDS = {int(level): level.word for level in Feature}
SHOWN_SWITCHES = tuple(f"{name}_access_level" for name in FEATURES if name != "requirements")

ENABLED_FLAGS = {
    "issues_enabled": policy.READ_ISSUES,
    "merge_requests_enabled": None,
    "wiki_enabled": own.READ_WIKI,
    "jobs_enabled": policy.READ_BUILDS,
    "snippets_enabled": own.READ_SNIPPETS,
    "container_registry_enabled": own.READ_REGISTRY,
}


def open_values(
    project: Project, settings: ProjectSettings, actor: Actor, base_url: str, instance: dict[str, Any]
) -> dict[str, Any]:
    """What everybody who sees the project sees."""
    result = {name: getattr(settings, name) for name in OPEN_SETTINGS}
    row = project.row
    result |= {name: FEATURE_WORDS[getattr(row, name)] for name in SHOWN_SWITCHES}
    result |= {
        "links": links(project, actor, base_url),
        "container_registry_image_prefix": f"{urlsplit(base_url).netloc}/{project.full_path.lower()}",
        "empty_repo": project.empty_repo,
        "archived": project.archived,
        "visibility": Visibility(project.visibility).word,
        "container_expiration_policy": expiration_policy(project, settings),
        "service_desk_enabled": bool(_or(settings.service_desk_enabled, instance["service_desk_enabled"])),
        "can_create_merge_request_in": own.CREATE_MERGE_REQUEST_IN.held(actor, project),
        "emails_disabled": not settings.emails_enabled,
        "creator_id": project.creator_id,
        "import_status": project.import_status,
        "description_html": project.description_html,
        "updated_at": wire(project.updated_at),
        "printing_merge_requests_link_enabled": settings.printing_merge_request_link_enabled,
        "merge_requests_enabled": merge_requests_available(actor, project),
    }
    for name, ability in ENABLED_FLAGS.items():
        if ability is not None:
            result[name] = ability.held(actor, project)
    if project.forked_from_id is not None:
        result["mr_default_target_self"] = settings.mr_default_target_self
    if result["issues_enabled"]:
        result["open_issues_count"] = project.open_issues_count
    return result


def merge_requests_available(actor: Actor, project: Project) -> bool:
    """The switch as the caller meets it: a Guest of a private project sees what the switch says."""
    switch = project.feature("merge_requests")
    if switch is Feature.ENABLED and project.feature("repository") is Feature.ENABLED:
        return True
    return policy.READ_MERGE_REQUESTS.held(actor, project)


def role_values(
    project: Project, settings: ProjectSettings, actor: Actor, base_url: str, instance: dict[str, Any]
) -> dict[str, Any]:
    """What depends on the caller's role."""
    result: dict[str, Any] = {}
    if policy.READ_CODE.held(actor, project):
        result["ci_config_path"] = settings.ci_config_path
    if own.MANAGE_ISSUES.held(actor, project):
        result["service_desk_address"] = service_desk_address(project, settings, base_url, instance)
    if policy.ADMIN_PROJECT.held(actor, project):
        result |= {name: getattr(settings, name) for name in MAINTAINER_SETTINGS}
        result["auto_devops_enabled"] = bool(_or(settings.auto_devops_enabled, instance["auto_devops_enabled"]))
        result["import_url"] = without_credentials(project.import_url)
        result["import_type"] = project.import_type
    if actor.is_admin:
        result["repository_storage"] = project.repository_storage
    return result


def licensed_values(project: Project, settings: ProjectSettings, actor: Actor, tiers: Settings) -> dict[str, Any]:
    """What exists in the paid tiers only."""
    if not tiers.has_tier("premium"):
        return {}
    result = {name: getattr(settings, name) for name in PREMIUM_SETTINGS}
    if settings.mirror:
        result |= {name: getattr(settings, name) for name in MIRROR_SETTINGS}
    result |= {
        "marked_for_deletion_at": project.marked_for_deletion_on,
        "marked_for_deletion_on": project.marked_for_deletion_on,
        "requirements_enabled": own.READ_REQUIREMENTS.held(actor, project),
        "requirements_access_level": project.feature("requirements").word,
        "security_and_compliance_enabled": own.READ_SECURITY.held(actor, project),
    }
    if own.SEE_SECRET_DETECTION.held(actor, project):
        result["pre_receive_secret_detection_enabled"] = settings.pre_receive_secret_detection_enabled
        result["secret_push_protection_enabled"] = settings.pre_receive_secret_detection_enabled
    if policy.READ_ISSUES.held(actor, project):
        result["issues_template"] = settings.issues_template
    if policy.READ_MERGE_REQUESTS.held(actor, project):
        result["merge_requests_template"] = settings.merge_requests_template
    if policy.ADMIN_PROJECT.held(actor, project):
        result["ci_restrict_pipeline_cancellation_role"] = settings.ci_restrict_pipeline_cancellation_role
    if tiers.has_tier("ultimate"):
        name = "only_allow_merge_if_all_status_checks_passed"
        result[name] = getattr(settings, name)
    return result


def links(project: Project, actor: Actor, base_url: str) -> Links:
    """Addresses below the project; those of a feature only while the caller may use it."""
    here = f"{base_url}/api/v4/projects/{project.id}"
    created = Links(
        self_=here,
        repo_branches=f"{here}/repository/branches",
        labels=f"{here}/labels",
        events=f"{here}/events",
        members=f"{here}/members",
        cluster_agents=f"{here}/cluster_agents",
    )
    if policy.READ_ISSUES.held(actor, project):
        created.issues = f"{here}/issues"
    if merge_requests_available(actor, project):
        created.merge_requests = f"{here}/merge_requests"
    return created


def expiration_policy(project: Project, settings: ProjectSettings) -> ExpirationPolicyShown:
    """The clean-up policy; a fresh one would run a day after the project's creation."""
    wanted = settings.container_expiration_policy
    return ExpirationPolicyShown(
        cadence=wanted.cadence,
        enabled=wanted.enabled,
        keep_n=wanted.keep_n,
        older_than=wanted.older_than,
        name_regex=wanted.name_regex,
        name_regex_delete=wanted.name_regex,
        name_regex_keep=wanted.name_regex_keep,
        next_run_at=wire_or_none(wanted.next_run_at or project.created_at),
    )


def service_desk_address(
    project: Project, settings: ProjectSettings, base_url: str, instance: dict[str, Any]
) -> str | None:
    """Where mail becomes an issue, while the service desk is on."""
    if not _or(settings.service_desk_enabled, instance["service_desk_enabled"]):
        return None
    slug = project.full_path.replace("/", "-").lower()
    return f"incoming+{slug}-{project.id}-issue-@{urlsplit(base_url).hostname}"


def without_credentials(url: str | None) -> str | None:
    """The address that a project was imported from, without a user's name and secret."""
    if not url:
        return None
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host).geturl()


def _or(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value
