"""The project itself: root attributes, feature switches and the one-object relations."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.levels import FEATURES
from ingot.features.people.custom_attributes import project_custom_attributes
from ingot.features.review.approval_settings import PROJECT_DEFAULTS, project_choices
from ingot.features.spaces.projects import project_settings
from ingot.features.transfer.project_exports.leftovers import kept_for
from ingot.features.transfer.project_exports.records import stamp, times
from ingot.kit.services import Services

PACKAGES = "package_registry_access_level"
# Of GitLab's own machinery; null unless an import brought a value.
UNSET_HERE = (
    "last_repository_check_failed", "has_external_issue_tracker", "has_external_wiki", "delete_error",
    "jobs_cache_index", "repository_size_limit",
)  # fmt: skip


def root(_: Services, conn: Connection, project: Any, description: str | None) -> dict[str, Any]:
    """`tree/project.json`."""
    settings = project_settings(project)
    approval = project_choices(conn, project.id) or PROJECT_DEFAULTS
    return {
        **dict.fromkeys(UNSET_HERE),
        "pages_https_only": True,
        **kept_for(conn, project.id, "project", [project.id]).get(project.id, {}),
        "description": project.description if description is None else description,
        "visibility_level": project.visibility,
        "archived": project.archived,
        "merge_requests_template": settings.merge_requests_template,
        "merge_requests_rebase_enabled": settings.merge_method in ("rebase_merge", "ff"),
        "merge_requests_ff_only_enabled": settings.merge_method == "ff",
        "approvals_before_merge": settings.approvals_before_merge,
        "reset_approvals_on_push": not approval["retain_approvals_on_push"],
        "issues_template": settings.issues_template,
        "shared_runners_enabled": settings.shared_runners_enabled,
        "build_allow_git_fetch": settings.build_git_strategy == "fetch",
        "build_coverage_regex": settings.build_coverage_regex,
        "build_timeout": settings.build_timeout,
        "pending_delete": False,
        "public_builds": settings.public_jobs,
        "ci_config_path": settings.ci_config_path,
        "only_allow_merge_if_pipeline_succeeds": settings.only_allow_merge_if_pipeline_succeeds,
        "allow_merge_on_skipped_pipeline": settings.allow_merge_on_skipped_pipeline,
        "request_access_enabled": settings.request_access_enabled,
        "only_allow_merge_if_all_discussions_are_resolved": settings.only_allow_merge_if_all_discussions_are_resolved,
        "printing_merge_request_link_enabled": settings.printing_merge_request_link_enabled,
        "auto_cancel_pending_pipelines": settings.auto_cancel_pending_pipelines,
        "service_desk_enabled": settings.service_desk_enabled,
        "disable_overriding_approvers_per_merge_request": not approval[
            "allow_overrides_to_approver_list_per_merge_request"
        ],
        "resolve_outdated_diff_discussions": settings.resolve_outdated_diff_discussions,
        "external_authorization_classification_label": settings.external_authorization_classification_label or None,
        "merge_requests_author_approval": approval["allow_author_approval"],
        "merge_requests_disable_committers_approval": not approval["allow_committer_approval"],
        "require_password_to_approve": approval["require_reauthentication_to_approve"],
        "remove_source_branch_after_merge": settings.remove_source_branch_after_merge,
        "autoclose_referenced_issues": settings.autoclose_referenced_issues,
        "suggestion_commit_message": settings.suggestion_commit_message,
        "squash_option": settings.squash_option,
        "merge_commit_template": settings.merge_commit_template,
        "squash_commit_template": settings.squash_commit_template,
    }


def project_feature(_: Services, conn: Connection, project: Any) -> dict[str, Any]:
    """The switches of all features."""
    remaining = kept_for(conn, project.id, "project_feature", [project.id]).get(project.id, {})
    levels = {f"{name}_access_level": int(project.feature(name)) for name in FEATURES}
    if (remaining.get(PACKAGES, 0) > 0) is not project_settings(project).packages_enabled:
        remaining[PACKAGES] = 20 if project_settings(project).packages_enabled else 0
    return {**remaining, "project_id": project.id, **levels, **times(project)}


def auto_devops(_: Services, __: Connection, project: Any) -> dict[str, Any] | None:
    """Only where somebody chose."""
    settings = project_settings(project)
    if settings.auto_devops_enabled is None:
        return None
    return {
        "enabled": settings.auto_devops_enabled,
        "deploy_strategy": settings.auto_devops_deploy_strategy,
        **times(project),
    }


def ci_cd_settings(_: Services, __: Connection, project: Any) -> dict[str, Any]:
    """Settings of pipelines."""
    settings = project_settings(project)
    return {
        "group_runners_enabled": settings.group_runners_enabled,
        "default_git_depth": settings.ci_default_git_depth,
        "runner_token_expiration_interval": settings.runner_token_expiration_interval,
    }


def container_expiration_policy(_: Services, __: Connection, project: Any) -> dict[str, Any]:
    """When images would be cleaned up."""
    policy = project_settings(project).container_expiration_policy
    return {
        "project_id": project.id,
        "cadence": policy.cadence,
        "older_than": policy.older_than,
        "keep_n": policy.keep_n,
        "enabled": policy.enabled,
        "name_regex": policy.name_regex,
        "name_regex_keep": policy.name_regex_keep,
        "next_run_at": stamp(policy.next_run_at),
        **times(project),
    }


def custom_attributes(_: Services, conn: Connection, project: Any) -> Iterator[dict[str, Any]]:
    """Free pairs that administrators keep."""
    table = project_custom_attributes
    query = select(table).where(table.c.project_id == project.id).order_by(table.c.key)
    for row in conn.execute(query):
        yield {"key": row.key, "value": row.value, "project_id": project.id, **times(project)}
