"""From archive records to rows, one module per relation."""

from collections.abc import Callable

from sqlalchemy import Connection

from ingot.features.transfer.project_imports.builders import (
    approval_rules,
    boards,
    declared,
    hooks,
    issues,
    labels,
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
from ingot.features.transfer.project_imports.context import ImportContext

Build = Callable[[ImportContext, Connection, dict[str, object]], None]

# In GitLab's order, because later records refer to earlier ones. Other relations are preserved verbatim.
BUILDERS: dict[str, Build] = {
    "labels": labels.build,
    "milestones": milestones.build,
    "issues": issues.build,
    "snippets": snippets.build,
    "releases": releases.build,
    "merge_requests": merge_requests.build,
    "commit_notes": notes.build_commit_note,
    "ci_pipelines": pipelines.build,
    "auto_devops": settings.build_auto_devops,
    "pipeline_schedules": pipelines.build_schedule,
    "container_expiration_policy": settings.build_expiration_policy,
    "protected_branches": protection.build_branch,
    "protected_tags": protection.build_tag,
    "protected_environments": protection.build_environment,
    "project_feature": settings.build_features,
    "ci_cd_settings": settings.build_ci_settings,
    "approval_rules": approval_rules.build,
    "push_rule": push_rules.build,
    "boards": boards.build,
    "hooks": hooks.build,
    "deploy_keys": hooks.build_key,
}
# Handled apart from the tree, or never imported: tokens, and what belongs to the source alone.
DROPPED = frozenset({"project_members", "services", "triggers", "pipelines"})


def builders() -> dict[str, Build]:
    """All relations that become rows, those of declared tables last."""
    return {**BUILDERS, **declared.declared_builders()}
