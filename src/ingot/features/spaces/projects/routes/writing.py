"""Creating and deleting projects."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, REMOVE_PROJECT, SIGNED_IN
from ingot.access.tables import projects
from ingot.features.people.avatars import avatar_problems, replace_avatar
from ingot.features.spaces.projects import policy
from ingot.features.spaces.projects.commands import create, delete, repository
from ingot.features.spaces.projects.commands.import_url import (
    checked_origin,
    keep_origin,
    queue_import,
    require_origin,
)
from ingot.features.spaces.projects.commands.requested_settings import requested_settings
from ingot.features.spaces.projects.commands.storage import choose_storage, require_storage
from ingot.features.spaces.projects.commands.templates import columns_of, queue_copy, template_of
from ingot.features.spaces.projects.entities import ProjectFull, Showing, project_full
from ingot.features.spaces.projects.params.create import CreateProject, CreateProjectForUser
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.gitstore import GitError
from ingot.identity.tables import users
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import Invalid, NotFound
from ingot.kit.params import Param, Params

routes = Routes("Projects")


@routes.post("/projects", guard=SIGNED_IN, params=CreateProject, returns=ProjectFull, errors=(422,))
def create_project(call: Call[CreateProject]) -> Answer:
    """Create a project in the caller's namespace or in a group."""
    return _create(call, owner_id=None)


@routes.post(
    "/projects/user/{user_id:int}", guard=ADMINISTRATOR, params=CreateProjectForUser, returns=ProjectFull, errors=(422,)
)
def create_project_for_user(call: Call[CreateProjectForUser]) -> Answer:
    """Create a project for another user (administrators)."""
    known = call.conn.execute(select(users.c.id).where(users.c.id == call.params.user_id)).first()
    if known is None:
        raise NotFound("User")
    return _create(call, owner_id=call.params.user_id)


def _create(call: Call[CreateProject], owner_id: int | None) -> ProjectFull:
    params, services = call.params, call.services
    options = requested_settings(params, call.actor, services.settings, ProjectSettings())
    if params.repository_object_format == "sha256":
        raise Invalid({"repository_object_format": ["sha256 is not supported by this server, only sha1"]})
    storage = params.repository_storage if policy.may_choose_storage(call.actor) else None
    if storage is not None:
        require_storage(services, storage)
    if problems := avatar_problems(params.avatar):
        raise Invalid({"avatar": problems})
    template = template_of(call.conn, call.actor, params, services.settings)
    origin = checked_origin(services, call.conn, params.import_url) if params.import_url else None
    require_origin(options.settings, origin)
    new = create.NewProject(
        name=params.name,
        path=params.path,
        namespace_id=params.namespace_id,
        owner_id=owner_id,
        description=params.description,
        visibility=params.visibility,
        default_branch=params.default_branch,
        topics=params.topics or params.tag_list,
        settings=ProjectSettings(**options.settings),
        features=options.features,
        columns=columns_of(template) if origin is None else {"import_type": "git", "import_status": "scheduled"},
        storage=storage or choose_storage(services, call.conn),
    )
    with call.write() as tx:
        project_id = create.create_project(tx, call.actor, new)
        repository.clear_place(services, new.storage, project_id)
        if template is not None:
            queue_copy(tx, project_id, template)
        if origin is not None:
            keep_origin(tx, services, project_id, origin)
            queue_import(tx, project_id)
    if template is None and origin is None:
        _fill(call, project_id)
    if params.avatar is not None:
        replace_avatar(services, projects, "project", project_id, params.avatar)
    return project_full(call, project_id, Showing(import_error=True))


def _fill(call: Call[CreateProject], project_id: int) -> None:
    """Create the repository; the project is deleted if that fails (a full disk)."""
    project = call.conn.execute(select(projects).where(projects.c.id == project_id)).one()
    try:
        repository.make_repository(call.services, project)
        if call.params.initialize_with_readme:
            repository.initialize_with_readme(call.services, project, call.actor)
    except GitError:
        delete.delete_for_good(call.services, project_id)
        raise


class DeleteProject(Params):
    """How to delete."""

    permanently_remove: bool | None = Param("Delete a marked project permanently.")
    full_path: str | None = Param("The project's path as it is now; needed with `permanently_remove`.")


@routes.delete("/projects/{id}", guard=REMOVE_PROJECT, params=DeleteProject, status=202, returns=MessageOnly)
def delete_project(call: Call[DeleteProject]) -> Answer:
    """Delete a project; in the paid tiers a group's project can be restored within the grace period."""
    call.require_unmodified(call.project.updated_at)
    delayed = delete.is_delayed(call.conn, call.services.settings, call.project)
    if delayed and call.params.permanently_remove:
        delete.require_removable(call.project, call.params.full_path)
    with call.write() as tx:
        if delayed and not call.params.permanently_remove:
            delete.mark_for_deletion(tx, call.project)
        else:
            delete.delete_soon(tx, call.project.id)
    return ACCEPTED
