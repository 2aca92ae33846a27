"""The relations of an archive: each module yields the records of one."""

from collections.abc import Callable, Iterator

from sqlalchemy import Connection

from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.features.transfer.project_exports.relations import (
    boards,
    declared,
    hooks,
    issues,
    labels,
    members,
    merge_requests,
    milestones,
    notes,
    pipelines,
    protection,
    push_rules,
    releases,
    settings,
    snippets,
)
from ingot.kit.services import Services

Records = Callable[[Services, Connection, ProjectRow], Iterator[dict[str, object]]]
Document = Callable[[Services, Connection, Project], dict[str, object] | None]

# Relations with many records, in the order of imports.
COLLECTIONS: dict[str, Records] = {
    "labels": labels.records,
    "milestones": milestones.records,
    "issues": issues.records,
    "snippets": snippets.records,
    "releases": releases.records,
    "project_members": members.records,
    "merge_requests": merge_requests.records,
    "commit_notes": notes.commit_notes,
    "ci_pipelines": pipelines.records,
    "pipeline_schedules": pipelines.schedules,
    "protected_branches": protection.branches,
    "protected_environments": protection.environments,
    "protected_tags": protection.tags,
    "boards": boards.records,
    "approval_rules": merge_requests.approval_rules,
    # Only the oldest archives of GitLab have these two; today's GitLab passes over them.
    "hooks": hooks.records,
    "deploy_keys": hooks.keys,
}

# Relations that are one object or `null`.
SINGLES: dict[str, Document] = {
    "auto_devops": settings.auto_devops,
    "container_expiration_policy": settings.container_expiration_policy,
    "project_feature": settings.project_feature,
    "ci_cd_settings": settings.ci_cd_settings,
    "push_rule": push_rules.push_rule,
}

# Relations that are not modelled: empty, or preserved from an import.
KEPT_COLLECTIONS = (
    "external_pull_requests", "project_badges", "user_contributions",
    "vulnerabilities",
)  # fmt: skip
OLD_SINGLES = ("metrics_setting",)  # only where an import brought it
PRESERVED_SINGLES = ("error_tracking_setting", "service_desk_setting", "security_setting")


def collections() -> dict[str, Records]:
    """All relations with many records, those of declared tables last."""
    return {**COLLECTIONS, **declared.declared_collections()}


def preserved_collections() -> tuple[str, ...]:
    """Relations with many records that no table of ours holds."""
    return tuple(name for name in KEPT_COLLECTIONS if name not in declared.declared_collections())
