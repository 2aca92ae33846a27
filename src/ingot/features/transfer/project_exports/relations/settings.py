"""The project itself: root attributes, feature switches and the one-object relations."""

from typing import Any

from sqlalchemy import Connection

from ingot.access.levels import FEATURES
from ingot.access.subjects import Project
from ingot.features.review.approval_settings import PROJECT_DEFAULTS, project_choices
from ingot.features.spaces.projects import PROJECT_SETTINGS, ProjectSettings, project_settings
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import stamp, times
from ingot.kit.services import Services

PACKAGES = "package_registry_access_level"
# Internals of GitLab; null unless imported.
UNSET_HERE = (
    "last_repository_check_failed", "has_external_issue_tracker", "has_external_wiki", "delete_error",
    "jobs_cache_index", "repository_size_limit",
)  # fmt: skip


def root(_: Services, conn: Connection, project: Project, description: str | None) -> dict[str, Any]:
    """`tree/project.json`."""
    settings = project_settings(project)
    approval = project_choices(conn, project.id) or PROJECT_DEFAULTS
    return {
        **dict.fromkeys(UNSET_HERE),
        "pages_https_only": True,
        **preserved_for(conn, project.id, "project", [project.id]).get(project.id, {}),
        "description": project.description if description is None else description,
        "default_branch": project.default_branch,
        "visibility_level": project.visibility,
        "archived": project.archived,
        "pending_delete": False,
        "merge_requests_rebase_enabled": settings.merge_method in ("rebase_merge", "ff"),
        "merge_requests_ff_only_enabled": settings.merge_method == "ff",
        "build_allow_git_fetch": settings.build_git_strategy == "fetch",
        "reset_approvals_on_push": not approval["retain_approvals_on_push"],
        "disable_overriding_approvers_per_merge_request": not approval[
            "allow_overrides_to_approver_list_per_merge_request"
        ],
        "merge_requests_author_approval": approval["allow_author_approval"],
        "merge_requests_disable_committers_approval": not approval["allow_committer_approval"],
        "require_password_to_approve": approval["require_reauthentication_to_approve"],
        **_archived(settings, "project"),
    }


def _archived(settings: ProjectSettings, relation: str) -> dict[str, Any]:
    """The settings that the relation holds as they are, under their names there."""
    return {key: getattr(settings, name) for name, key in PROJECT_SETTINGS.archived(relation).items()}


def project_feature(_: Services, conn: Connection, project: Project) -> dict[str, Any]:
    """The switches of all features."""
    remaining = preserved_for(conn, project.id, "project_feature", [project.id]).get(project.id, {})
    levels = {f"{name}_access_level": int(project.feature(name)) for name in FEATURES}
    level, enabled = remaining.get(PACKAGES), project_settings(project).packages_enabled
    if not isinstance(level, int) or (level > 0) is not enabled:
        remaining[PACKAGES] = 20 if enabled else 0
    return {**remaining, "project_id": project.id, **levels, **times(project)}


def auto_devops(_: Services, __: Connection, project: Project) -> dict[str, Any] | None:
    """Only if it was configured."""
    settings = project_settings(project)
    if settings.auto_devops_enabled is None:
        return None
    return {**_archived(settings, "auto_devops"), **times(project)}


def ci_cd_settings(_: Services, __: Connection, project: Project) -> dict[str, Any]:
    """Settings of pipelines."""
    return _archived(project_settings(project), "ci_cd_settings")


def container_expiration_policy(_: Services, __: Connection, project: Project) -> dict[str, Any]:
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
