"""The project itself: root attributes, overrides, feature switches and the one-object relations."""

from collections.abc import Mapping
from itertools import chain
from typing import Any, get_args

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from ingot.access.levels import FEATURES, Feature, Visibility
from ingot.access.namespaces import instance_runners
from ingot.access.tables import namespaces, projects
from ingot.features.review.approval_settings import PROJECT_DEFAULTS, project_approval_settings
from ingot.features.spaces.projects import (
    PROJECT_SETTINGS,
    ProjectSettings,
    ProjectSettingsParams,
    project_settings,
    requested_settings,
    search_values,
    to_html,
)
from ingot.features.transfer.project_exports import archive_leftovers
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import flag, moment, number, text
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.errors import ApiError

# Attributes of the root, and the settings that they are. Older archives name Auto DevOps here.
ROOT_SETTINGS = {
    **{key: name for name, key in PROJECT_SETTINGS.archived("project").items()},
    **{name: name for name in PROJECT_SETTINGS.archived_by_hand("project")},
    **{name: name for name in PROJECT_SETTINGS.archived("auto_devops")},
}
APPROVAL = {
    "reset_approvals_on_push": ("retain_approvals_on_push", True),
    "disable_overriding_approvers_per_merge_request": ("allow_overrides_to_approver_list_per_merge_request", True),
    "merge_requests_author_approval": ("allow_author_approval", False),
    "merge_requests_disable_committers_approval": ("allow_committer_approval", True),
    "require_password_to_approve": ("require_reauthentication_to_approve", False),
}
PACKAGES = "package_registry_access_level"
MODELLED = frozenset(
    {
        *ROOT_SETTINGS, *chain.from_iterable(PROJECT_SETTINGS.archived_by_hand("project").values()), *APPROVAL,
        "default_branch", "description", "visibility_level", "archived", "pending_delete", "project_feature",
    }
)  # fmt: skip
SWITCHES = {
    "issues_enabled": "issues", "merge_requests_enabled": "merge_requests", "jobs_enabled": "builds",
    "wiki_enabled": "wiki", "snippets_enabled": "snippets", "container_registry_enabled": "container_registry",
    "security_and_compliance_enabled": "security_and_compliance",
}  # fmt: skip


def build_root(
    context: ImportContext,
    tx: Connection,
    root: Mapping[str, object],
    overrides: Mapping[str, object],
    *,
    as_owner: bool = True,
) -> None:
    """Root attributes of the archive, and the caller's overrides on top.

    Only owners decide its visibility and whether it is archived.
    """
    given = {key: value for key, value in overrides.items() if value != ""}
    merged = {**root, **given}
    row = tx.execute(select(projects).where(projects.c.id == context.project.id)).one()
    settings = _settings(context, _settings(context, project_settings(row), root), given)
    description = text(merged, "description")
    values: dict[str, Any] = {
        "description": None if description is None else description[:2000],
        "description_html": to_html(description or ""),
        "archived": flag(merged, "archived") if as_owner else row.archived,
        "visibility": _visibility(context, tx, merged) if as_owner else row.visibility,
        "settings": msgspec.to_builtins(within_group(context, tx, settings)),
        **search_values(row.name, row.path, description),
        **_feature_values(given),
    }
    tx.execute(update(projects).where(projects.c.id == context.project.id).values(values))
    _approvals(context, tx, merged)
    rest = {key: value for key, value in root.items() if key not in MODELLED and value not in (None, [], {})}
    rest = {key: value for key, value in rest.items() if "token" not in key and not key.endswith("_id")}
    mine = (archive_leftovers.c.relation == "project") & (archive_leftovers.c.owner_id == context.project.id)
    tx.execute(delete(archive_leftovers).where(archive_leftovers.c.project_id == context.project.id, mine))
    if rest:
        context.keep(tx, "project", context.project.id, context.translated(rest))


def _settings(context: ImportContext, current: ProjectSettings, given: Mapping[str, object]) -> ProjectSettings:
    for key, name in ROOT_SETTINGS.items():
        if given.get(key) is not None:
            current = with_setting(context, current, name, given[key])[0]
    if not isinstance(given.get("merge_method"), str):
        if flag(given, "merge_requests_ff_only_enabled"):
            current = msgspec.structs.replace(current, merge_method="ff")
        elif flag(given, "merge_requests_rebase_enabled"):
            current = msgspec.structs.replace(current, merge_method="rebase_merge")
    if "build_allow_git_fetch" in given and given.get("build_git_strategy") is None:
        strategy = "fetch" if flag(given, "build_allow_git_fetch") else "clone"
        current = msgspec.structs.replace(current, build_git_strategy=strategy)
    return current


def with_setting(
    context: ImportContext, current: ProjectSettings, name: str, value: object
) -> tuple[ProjectSettings, ProjectSettingsParams, dict[str, int]]:
    """The settings with one change, the parsed value, and the changed switches; an invalid value changes nothing."""
    try:
        params = ProjectSettingsParams.parse({name: value})
        options = requested_settings(
            params, Actor(user_id=context.people.importer_id), context.services.settings, current
        )
    except ApiError:
        return current, ProjectSettingsParams.parse({}), {}
    switches = {f"{feature}_access_level": int(level) for feature, level in options.features.items()}
    return msgspec.structs.replace(current, **options.settings), params, switches


def within_group(context: ImportContext, tx: Connection, settings: ProjectSettings) -> ProjectSettings:
    """A group can disable instance runners for its projects."""
    space = tx.execute(select(namespaces).where(namespaces.c.id == context.project.namespace_id)).one()
    if space.kind == "group" and instance_runners(space) == "disabled_and_unoverridable":
        return msgspec.structs.replace(settings, shared_runners_enabled=False)
    return settings


def _fitting(current: ProjectSettings, values: Mapping[str, object]) -> ProjectSettings:
    """Settings of a wrong type keep their current value."""
    try:
        return msgspec.convert(values, ProjectSettings, strict=False)
    except msgspec.ValidationError:
        known = msgspec.to_builtins(current)
    for name, value in values.items():
        try:
            msgspec.convert({**known, name: value}, ProjectSettings, strict=False)
        except msgspec.ValidationError:
            continue
        known[name] = value
    return msgspec.convert(known, ProjectSettings, strict=False)


def _visibility(context: ImportContext, tx: Connection, given: dict[str, object]) -> int:
    """The archive's visibility, limited by the group's, and private if that level is restricted."""
    if isinstance(given.get("visibility"), str) and given["visibility"] in ("private", "internal", "public"):
        level = int(Visibility.of(given["visibility"]))
    else:
        level = number(given, "visibility_level") or 0
    level = level if level in tuple(Visibility) else int(Visibility.PRIVATE)
    space = tx.execute(select(namespaces).where(namespaces.c.id == context.project.namespace_id)).one()
    if space.kind == "group":
        level = min(level, space.visibility)
    restricted = application_setting(tx, "restricted_visibility_levels") or []
    return int(Visibility.PRIVATE) if Visibility(level).word in restricted else level


def _feature_values(given: Mapping[str, object]) -> dict[str, int]:
    values: dict[str, int] = {}
    for name in FEATURES:
        key = f"{name}_access_level"
        value = given.get(key)
        if isinstance(value, str) and value in ("disabled", "private", "enabled", "public"):
            values[key] = int(Feature.of(value))
        elif isinstance(value, int) and value in tuple(Feature):
            values[key] = value
    for name, feature in SWITCHES.items():
        if name in given:
            values[f"{feature}_access_level"] = int(Feature.ENABLED if flag(given, name) else Feature.DISABLED)
    return values


def _approvals(context: ImportContext, tx: Connection, given: Mapping[str, object]) -> None:
    chosen = dict(PROJECT_DEFAULTS)
    for old, (name, turned) in APPROVAL.items():
        if given.get(old) is not None:
            chosen[name] = flag(given, old) is not turned
    if chosen == PROJECT_DEFAULTS:
        return
    table = project_approval_settings
    tx.execute(delete(table).where(table.c.project_id == context.project.id))
    tx.execute(insert(table).values(project_id=context.project.id, **chosen, updated_at=context.started))


def _update_settings(context: ImportContext, tx: Connection, changes: Mapping[str, object]) -> None:
    row = tx.execute(select(projects).where(projects.c.id == context.project.id)).one()
    current = project_settings(row)
    settings = _fitting(current, {**msgspec.to_builtins(current), **changes})
    tx.execute(
        update(projects).where(projects.c.id == context.project.id).values(settings=msgspec.to_builtins(settings))
    )


def build_features(context: ImportContext, tx: Connection, record: dict[str, object], *, only: bool = False) -> None:
    """`project_feature`, or with `only` the switches among other values."""
    values = _feature_values(record)
    known = {f"{name}_access_level" for name in FEATURES}
    if values:
        tx.execute(update(projects).where(projects.c.id == context.project.id).values(values))
    rest = {
        key: value
        for key, value in record.items()
        if key not in known and key not in ("id", "project_id", "created_at", "updated_at")
    }
    packages = record.get(PACKAGES)
    if isinstance(packages, int):
        _update_settings(context, tx, {"packages_enabled": packages > 0})
    if rest and not only:
        context.keep(tx, "project_feature", context.project.id, rest)


def build_auto_devops(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """`auto_devops`."""
    _update_settings(context, tx, _archived(record, "auto_devops"))


def build_ci_settings(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """`ci_cd_settings`, each checked as if a Maintainer had sent it."""
    row = tx.execute(select(projects).where(projects.c.id == context.project.id)).one()
    settings = project_settings(row)
    for name, value in _archived(record, "ci_cd_settings").items():
        settings = with_setting(context, settings, name, value)[0]
    values = {"settings": msgspec.to_builtins(settings)}
    tx.execute(update(projects).where(projects.c.id == context.project.id).values(values))


def _archived(record: Mapping[str, object], relation: str) -> dict[str, Any]:
    """The settings that a record of the relation holds; missing ones keep their value."""
    result: dict[str, Any] = {}
    for name, key in PROJECT_SETTINGS.archived(relation).items():
        if record.get(key) is None:
            continue
        kinds = get_args(PROJECT_SETTINGS.types[name]) or (PROJECT_SETTINGS.types[name],)
        if bool in kinds:
            result[name] = flag(record, key)
        elif int in kinds:
            result[name] = number(record, key)
        else:
            result[name] = record[key]
    return result


def build_expiration_policy(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """`container_expiration_policy`."""
    names = ("cadence", "older_than", "keep_n", "enabled", "name_regex", "name_regex_keep")
    required = ("cadence", "enabled")
    policy = {name: record[name] for name in names if name in record and (name not in required or record[name])}
    following = moment(record, "next_run_at")
    if following is not None:
        policy["next_run_at"] = following.isoformat()
    _update_settings(context, tx, {"container_expiration_policy": policy})
