"""Overrides of an import: any setting that can be edited on a project."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from ingot.access.tables import projects
from ingot.features.spaces.projects import ProjectSettingsParams, project_settings, set_topics, stored
from ingot.features.transfer.project_imports.builders.settings import build_features, with_setting, within_group
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.gitstore.refs import find_branch

# Attributes of the import itself, root attributes, and parameters that are not settings.
APART = frozenset({"name", "path", "avatar", "description", "visibility", "visibility_level", "repository_storage"})


def build_overrides(context: ImportContext, tx: Connection, overrides: Mapping[str, object]) -> str | None:
    """Apply each separately: unknown names and invalid values are ignored, an empty text keeps the archive's value.

    Returns the chosen default branch, if any.
    """
    given = {key: value for key, value in overrides.items() if value != "" and key not in APART}
    build_features(context, tx, given, only=True)
    row = tx.execute(select(projects).where(projects.c.id == context.project.id)).one()
    settings = project_settings(row)
    values: dict[str, Any] = {}
    for key, value in given.items():
        settings, params, switches = with_setting(context, settings, key, value)
        values |= switches | _branch(context, params)
        if params.sent & {"topics", "tag_list"}:
            set_topics(tx, context.project.id, params.topics or params.tag_list)
    values["settings"] = stored(within_group(context, tx, settings))
    tx.execute(update(projects).where(projects.c.id == context.project.id).values(values))
    return values.get("default_branch")


def _branch(context: ImportContext, params: ProjectSettingsParams) -> dict[str, str]:
    branch, repository = params.default_branch, context.repository
    if not branch or not repository.exists() or find_branch(repository, branch) is None:
        return {}
    return {"default_branch": branch}
