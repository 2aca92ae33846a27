"""Editing a project: one transaction for its row, with git and storage work before and after it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, select, update

from ingot.access import policy
from ingot.access.levels import Visibility
from ingot.access.namespaces import instance_runners
from ingot.access.paths import lock_namespace, release_path
from ingot.access.subjects import Project
from ingot.access.tables import namespaces, projects
from ingot.access.unassigning import unassign_in_project_later
from ingot.events import ProjectSettingsChanged
from ingot.features.people.avatars import avatar_problems, replace_avatar
from ingot.features.spaces.projects.commands.create import branch_problems, check_restricted, creation_problems
from ingot.features.spaces.projects.commands.import_url import (
    checked_origin,
    keep_origin,
    queue_import,
    require_origin,
)
from ingot.features.spaces.projects.commands.redirects import leave_redirect
from ingot.features.spaces.projects.commands.reporting import report_project
from ingot.features.spaces.projects.commands.repository import repository_of
from ingot.features.spaces.projects.commands.requested_settings import requested_settings
from ingot.features.spaces.projects.commands.storage import move_storage, require_storage
from ingot.features.spaces.projects.commands.texts import search_values
from ingot.features.spaces.projects.commands.topics import set_topics
from ingot.features.spaces.projects.markdown import to_html
from ingot.features.spaces.projects.params.edit import EditProject
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS, ProjectSettings, Writer, project_settings, stored
from ingot.gitstore.refs import find_branch
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.db import hold_row
from ingot.kit.errors import Failure, Forbidden, Invalid
from ingot.kit.events import announce
from ingot.kit.services import Services

FORKS_ONLY = "This setting is allowed for forked projects only"
# What a custom role with `manage_merge_request_settings` may change.
MERGE_SETTINGS = frozenset(PROJECT_SETTINGS.named(written_by=Writer.MERGE_MANAGERS))
NO_OWNER_ROLE = "Changing the ci_pipeline_variables_minimum_override_role to the owner role is not allowed"


def edit_project(
    services: Services, actor: Actor, project: Project, params: EditProject, *, probed: bool = True
) -> None:
    """Change what was sent; raises the first refusal and then changes nothing. A new origin is `probed` before."""
    given = params.given()
    _check_rights(actor, project, given)
    before = project_settings(project)
    options = requested_settings(params, actor, services.settings, before)
    if options.settings.get("mr_default_target_self") and project.forked_from_id is None:
        raise Invalid({"project_setting.mr_default_target_self": [FORKS_ONLY]})
    if problems := avatar_problems(given.get("avatar")):
        raise Invalid({"avatar": problems})
    origin = None
    if given.get("import_url"):
        with services.db.read() as conn:
            origin = checked_origin(services, conn, given["import_url"], probed=probed)
    require_origin(options.settings, origin or project.import_url)
    branch = _default_branch(services, project, given.get("default_branch"))
    storage = given.get("repository_storage") if actor.is_admin else None
    if storage is not None:
        require_storage(services, storage)
    values: dict[str, Any] = {f"{name}_access_level": int(level) for name, level in options.features.items()}
    with services.db.write() as tx:
        _require_runners(tx, project, before, options.settings)
        values |= _identity(tx, project, given)
        values |= _visibility(tx, actor, project, given.get("visibility"))
        if branch is not None:
            values["default_branch"] = branch
        if origin is not None:
            keep_origin(tx, services, project.id, origin)
            values.setdefault("import_type", project.import_type or "git")
        values |= _settings(tx, services, actor, project, params)
        values |= _pull(tx, project, before, options.settings, has_new_origin=origin is not None)
        if "topics" in given or "tag_list" in given:
            set_topics(tx, project.id, given.get("topics", given.get("tag_list")) or [])
        tx.execute(update(projects).where(projects.c.id == project.id).values(**values, updated_at=now()))
        action = "update" if values.get("path", project.path) == project.path else "rename"
        report_project(tx, action, project)
        if values.get("visibility", project.visibility) < project.visibility:
            unassign_in_project_later(tx, project.id)
    if branch is not None:
        repository_of(services, project).set_default_branch(branch)
    if storage is not None:
        move_storage(services, project, storage)
    if "avatar" in given:
        replace_avatar(services, projects, "project", project.id, given["avatar"])
    announce(services, ProjectSettingsChanged(project.id, frozenset(given)))


def _pull(
    tx: Connection, project: Project, before: ProjectSettings, changed: Mapping[str, object], *, has_new_origin: bool
) -> dict[str, str]:
    """Fetch a new or changed mirror at once."""
    is_mirror = changed.get("mirror", before.mirror)
    if not is_mirror or not (has_new_origin or (project.import_url and changed.get("mirror"))):
        return {}
    queue_import(tx, project.id)
    return {"import_status": "scheduled"}


def _settings(
    tx: Connection, services: Services, actor: Actor, project: Project, params: EditProject
) -> dict[str, Any]:
    """The changed settings merged into the current ones; locks the row."""
    before = project_settings(hold_row(tx, projects, project.id))
    changed = requested_settings(params, actor, services.settings, before).settings
    return {"settings": stored(msgspec.structs.replace(before, **changed))} if changed else {}


def _require_runners(tx: Connection, project: Project, before: ProjectSettings, changes: Mapping[str, object]) -> None:
    """A group can disable instance runners for its projects."""
    if before.shared_runners_enabled or not changes.get("shared_runners_enabled"):
        return
    space = tx.execute(select(namespaces).where(namespaces.c.id == project.namespace_id)).one()
    if instance_runners(space) == "disabled_and_unoverridable":
        raise Invalid({"shared_runners_enabled": ["cannot be enabled because parent group does not allow it"]})


def _check_rights(actor: Actor, project: Project, given: dict[str, object]) -> None:
    if not policy.ADMIN_PROJECT.allows(actor, project) and not MERGE_SETTINGS.issuperset(given):
        raise Forbidden
    visibility = given.get("visibility")
    changes = visibility is not None and Visibility.of(str(visibility)) != project.visibility
    if changes and not policy.OWN_PROJECT.allows(actor, project):
        raise Forbidden
    override = given.get("ci_pipeline_variables_minimum_override_role")
    if override == "owner" and not policy.OWN_PROJECT.allows(actor, project):
        raise Failure(400, NO_OWNER_ROLE)


def _default_branch(services: Services, project: Project, branch: str | None) -> str | None:
    """The new default branch; an empty repository takes any name for its first branch."""
    repository = repository_of(services, project)
    if not branch or branch == project.default_branch or not repository.exists():
        return None
    if repository.is_empty() and (problems := branch_problems(branch)):
        raise Invalid(problems)
    if not repository.is_empty() and find_branch(repository, branch) is None:
        raise Invalid({"base": [f"Could not change HEAD: branch '{branch}' does not exist"]})
    return branch


def _identity(tx: Connection, project: Project, given: dict[str, object]) -> dict[str, Any]:
    """Name, path and description, with their derived columns."""
    name = str(given["name"] or "").lstrip() if "name" in given else project.name
    path = str(given["path"] or "") if "path" in given else project.path
    description = project.description
    if "description" in given:
        description = None if given["description"] is None else str(given["description"])
    if (name, path, description) == (project.name, project.path, project.description):
        return {}
    lock_namespace(tx, project.namespace_id)
    space = tx.execute(select(namespaces).where(namespaces.c.id == project.namespace_id)).one()
    problems = creation_problems(tx, space, name, path, description, except_id=project.id)
    if path == project.path:
        # A path from before today's rules may stay.
        problems.pop("path", None)
    if problems:
        raise Invalid(problems)
    full_path = f"{space.full_path}/{path}"
    if full_path.lower() != project.full_path_lower:
        leave_redirect(tx, project.id, project.full_path)
        release_path(tx, full_path)
    return {
        "name": name,
        "path": path,
        "full_path": full_path,
        "full_path_lower": full_path.lower(),
        "full_name": f"{space.full_name} / {name}",
        "description": description,
        "description_html": to_html(description),
        **search_values(name, path, description),
    }


def _visibility(tx: Connection, actor: Actor, project: Project, word: str | None) -> dict[str, int]:
    if word is None or Visibility.of(word) == project.visibility:
        return {}
    check_restricted(actor, word, application_setting(tx, "restricted_visibility_levels"))
    visibility = Visibility.of(word)
    space = tx.execute(
        select(namespaces.c.kind, namespaces.c.visibility).where(namespaces.c.id == project.namespace_id)
    ).one()
    if space.kind == "group" and visibility > space.visibility:
        text = f"{word} is not allowed in a {Visibility(space.visibility).word} group."
        raise Invalid({"visibility_level": [text]})
    check_fork_visibility(tx, project.forked_from_id, visibility)
    return {"visibility": int(visibility)}


def check_fork_visibility(tx: Connection, source_id: int | None, visibility: Visibility) -> None:
    """A fork is never more visible than its source."""
    source = tx.execute(select(projects.c.visibility).where(projects.c.id == (source_id or 0))).scalar_one_or_none()
    if source is not None and visibility > source:
        text = f"{visibility.word} is not allowed since the fork source project has lower visibility."
        raise Invalid({"visibility_level": [text]})
