"""Forking: rows at once, git data in the background; and the fork relation alone."""

import msgspec
from sqlalchemy import Connection, select, update

from ingot.access.levels import FEATURES, Feature, Visibility
from ingot.access.namespaces import Namespace, may_be_forked_into, may_create_project_in
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.create import NewProject, create_project, creation_problems
from ingot.features.spaces.projects.commands.edit import check_fork_visibility
from ingot.features.spaces.projects.commands.repository import clear_place, repository_of
from ingot.features.spaces.projects.commands.taken import TEXT
from ingot.features.spaces.projects.params.fork import ForkProject
from ingot.features.spaces.projects.queries.size_limits import find_size_limit, repository_bytes
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS, ProjectSettings, project_settings
from ingot.gitstore import storages_of
from ingot.gitstore.names import branch_ref
from ingot.gitstore.storage import copy_refs
from ingot.kit import jobs
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Failure, Invalid, NotFound, Texts, Unauthorized
from ingot.kit.services import Services


class RepositoryTooLarge(Exception):
    """A repository is larger than its place allows; the text says it."""


FORKED_SETTINGS = tuple(name for name, setting in PROJECT_SETTINGS.settings.items() if setting.forked)


def fork_project(tx: Connection, actor: Actor, source: Project, target: Namespace, options: ForkProject) -> int:
    """Store the fork and queue the copy of its git data; returns the fork's id."""
    if not may_create_project_in(tx, actor, target) or not may_be_forked_into(tx, source.namespace_id, target.id):
        raise NotFound("Target Namespace")
    if options.visibility is not None:
        check_fork_visibility(tx, source.id, Visibility.of(options.visibility))
    name, path = options.name or source.name, options.path or source.path
    _require_free(creation_problems(tx, target, name, path, None))
    fork_id = create_project(
        tx,
        actor,
        NewProject(
            name=name,
            path=path,
            namespace_id=target.id,
            description=options.description if options.description is not None else source.description,
            visibility=options.visibility or Visibility(source.visibility).word,
            default_branch=options.branches or source.default_branch,
            settings=_settings(source, options),
            features={feature: _level(source, feature) for feature in FEATURES},
            columns={"forked_from_id": source.id, "import_status": "scheduled"},
            storage=source.repository_storage,
        ),
    )
    _count_fork(tx, source.id)
    args = {"project_id": fork_id, "source_id": source.id, "branch": options.branches}
    jobs.enqueue(tx, "fork_project", args=args, key=f"fork_project-{fork_id}", subject=f"project:{fork_id}")
    return fork_id


def copy_git_data(services: Services, project_id: int, source_id: int, branch: str | None) -> None:
    """Give the fork its repository, whole or one branch of it. A copy that was cut short starts again.

    Raises `RepositoryTooLarge` where the source does not fit into the limit of the fork's place.
    """
    with services.db.read() as conn:
        rows = {row.id: row for row in conn.execute(select(projects).where(projects.c.id.in_([project_id, source_id])))}
    if project_id not in rows or source_id not in rows:
        return
    fork, source = rows[project_id], rows[source_id]
    with services.db.read() as conn:
        limit, size = find_size_limit(conn, project_id), repository_bytes(conn, source_id)
    if limit is not None and not limit.leaves_room_for(size):
        raise RepositoryTooLarge(limit.refuse_import(size))
    origin = repository_of(services, source)
    clear_place(services, fork.repository_storage, fork.id)
    if branch is None:
        storages_of(services).fork(origin, fork.repository_storage, fork.id)
    else:
        created = storages_of(services).create(fork.repository_storage, fork.id, default_branch=branch)
        ref = branch_ref(branch)
        copy_refs(origin, created, [f"+{ref}:{ref}"])


def finish_fork(tx: Connection, project_id: int) -> None:
    """The git data is there."""
    _set_import(tx, project_id, import_status="finished")


def fail_fork(tx: Connection, project_id: int, sentence: str) -> None:
    """The git data could not be copied."""
    _set_import(tx, project_id, import_status="failed", import_error=sentence)


def relate(tx: Connection, project: Project, source: Project, *, may_fork: bool) -> None:
    """Make an existing project the fork of another."""
    if not may_fork:
        raise Unauthorized("Target Namespace")
    if project.id == source.id:
        raise Failure(400, "Target project cannot be equal to source project")
    if project.forked_from_id is not None:
        raise Conflict("Project already forked")
    tx.execute(update(projects).where(projects.c.id == project.id).values(forked_from_id=source.id, updated_at=now()))
    _count_fork(tx, source.id)


def _set_import(tx: Connection, project_id: int, **values: str) -> None:
    tx.execute(update(projects).where(projects.c.id == project_id).values(**values, updated_at=now()))


def _count_fork(tx: Connection, source_id: int) -> None:
    tx.execute(update(projects).where(projects.c.id == source_id).values(forks_count=projects.c.forks_count + 1))


def _settings(source: Project, options: ForkProject) -> ProjectSettings:
    before = project_settings(source)
    created = ProjectSettings(**{name: getattr(before, name) for name in FORKED_SETTINGS})
    return msgspec.structs.replace(created, mr_default_target_self=bool(options.mr_default_target_self))


def _level(source: Project, feature: str) -> Feature:
    return source.feature(feature)


def _require_free(problems: dict[str, list[str]]) -> None:
    """Taken names are answered in the form that only forks have."""
    if not any(TEXT in texts for texts in problems.values()):
        if problems:
            raise Invalid(problems)
        return
    result = []
    if TEXT in problems.get("name", []):
        result.append("Name has already been taken")
    if TEXT in problems.get("path", []):
        result.append("Path has already been taken")
    if TEXT in problems.get("project_namespace.name", []):
        result.append("Project namespace name has already been taken")
    raise Texts(409, result)
