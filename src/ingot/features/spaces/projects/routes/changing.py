"""Editing, archiving, starring, moving, sharing and forking projects."""

from datetime import date

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.levels import MEMBER_LEVELS
from ingot.access.namespaces import Namespace, find_namespace
from ingot.access.policy import ARCHIVE_PROJECT, EDIT_PROJECT, OWN_PROJECT, REMOVE_PROJECT
from ingot.access.subjects import get_project
from ingot.access.tables import namespaces
from ingot.features.spaces.projects.commands import archive, delete, edit, fork, share, transfer
from ingot.features.spaces.projects.commands.repository import repository_of
from ingot.features.spaces.projects.entities import ProjectFull, Showing, project_full
from ingot.features.spaces.projects.params.edit import EditProject
from ingot.features.spaces.projects.params.fork import ForkProject
from ingot.features.spaces.projects.policy import FORK_PROJECT, SHARE_PROJECT, STAR_PROJECT
from ingot.gitstore.refs import find_branch
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import NotFound, NotModified
from ingot.kit.params import Param, Params

routes = Routes("Projects")


@routes.put("/projects/{id}", guard=EDIT_PROJECT, params=EditProject, returns=ProjectFull)
def edit_project(call: Call[EditProject]) -> Answer:
    """Edit a project (Maintainers; its visibility: Owners)."""
    edit.edit_project(call.services, call.actor, call.project, call.params)
    return project_full(call, call.project.id, Showing(import_error=True))


@routes.post("/projects/{id}/archive", guard=ARCHIVE_PROJECT, returns=ProjectFull)
def archive_project(call: Call) -> Answer:
    """Archive a project: it becomes read-only."""
    with call.write() as tx:
        archive.set_archived(tx, call.project, archived=True)
    return project_full(call, call.project.id)


@routes.post("/projects/{id}/unarchive", guard=ARCHIVE_PROJECT, returns=ProjectFull)
def unarchive_project(call: Call) -> Answer:
    """Unarchive a project."""
    with call.write() as tx:
        archive.set_archived(tx, call.project, archived=False)
    return project_full(call, call.project.id)


@routes.post("/projects/{id}/star", guard=STAR_PROJECT, returns=ProjectFull, errors=(304,))
def star_project(call: Call) -> Answer:
    """Star a project; 304 when it is starred already."""
    with call.write() as tx:
        archive.star(tx, call.project, call.actor)
    return project_full(call, call.project.id)


@routes.post("/projects/{id}/unstar", guard=STAR_PROJECT, returns=ProjectFull, errors=(304,))
def unstar_project(call: Call) -> Answer:
    """Remove a star; 304 when there is none."""
    with call.write() as tx:
        archive.unstar(tx, call.project, call.actor)
    return project_full(call, call.project.id)


@routes.post("/projects/{id}/restore", guard=REMOVE_PROJECT, returns=ProjectFull, tier="premium")
def restore_project(call: Call) -> Answer:
    """Restore a project that was marked for deletion."""
    with call.write() as tx:
        delete.restore(tx, call.project)
    return project_full(call, call.project.id)


@routes.post("/projects/{id}/fork", guard=FORK_PROJECT, params=ForkProject, returns=ProjectFull, errors=(409,))
def fork_project(call: Call[ForkProject]) -> Answer:
    """Fork a project; its git data is copied in the background (`import_status`)."""
    target = _fork_target(call)
    if call.params.branches and find_branch(repository_of(call.services, call.project), call.params.branches) is None:
        raise NotFound("Source Branch")
    with call.write() as tx:
        fork_id = fork.fork_project(tx, call.actor, call.project, target, call.params)
    return project_full(call, fork_id, Showing(import_error=True))


def _fork_target(call: Call[ForkProject]) -> Namespace:
    options = call.params
    id_or_path = options.namespace_id or options.namespace_path or options.namespace
    if id_or_path is None:
        id_or_path = call.conn.execute(
            select(namespaces.c.id).where(namespaces.c.owner_id == call.actor.id, namespaces.c.kind == "user")
        ).scalar_one()
    namespace = find_namespace(call.conn, call.actor, id_or_path)
    if namespace is None:
        raise NotFound("Namespace")
    return namespace


class RelateFork(Params):
    """The source of an existing project."""

    forked_from_id: str = Param("Id or path of the source.", required=True)


@routes.post(
    "/projects/{id}/fork/{forked_from_id}", guard=OWN_PROJECT, params=RelateFork, returns=ProjectFull, errors=(409,)
)
def create_fork_relation(call: Call[RelateFork]) -> Answer:
    """Make a project the fork of another."""
    source = get_project(call.conn, call.actor, call.params.forked_from_id)
    with call.write() as tx:
        fork.relate(tx, call.project, source, may_fork=FORK_PROJECT.allows(call.actor, source))
    return project_full(call, call.project.id)


@routes.delete("/projects/{id}/fork", guard=OWN_PROJECT, errors=(304,))
def delete_fork_relation(call: Call) -> Answer:
    """End the relation of a fork to its source."""
    if call.project.forked_from_id is None:
        raise NotModified
    call.require_unmodified(call.project.updated_at)
    with call.write() as tx:
        delete.leave_fork_network(tx, call.project)


class TransferProject(Params):
    """Target."""

    namespace: str = Param("Id or path of the namespace.", required=True)


@routes.put("/projects/{id}/transfer", guard=OWN_PROJECT, params=TransferProject, returns=ProjectFull)
def transfer_project(call: Call[TransferProject]) -> Answer:
    """Move a project into another namespace."""
    target = find_namespace(call.conn, call.actor, call.params.namespace)
    if target is None:
        raise NotFound("Namespace")
    with call.write() as tx:
        transfer.transfer_project(tx, call.actor, call.project, target)
    return project_full(call, call.project.id)


class ShareProject(Params):
    """The group to share with."""

    group_id: int = Param("The group.", required=True)
    group_access: int = Param("Maximum role of its members here.", required=True, one_of=MEMBER_LEVELS)
    expires_at: date | None = Param("The last day is the one before.")


class GroupLink(Entity, kw_only=True):
    """A share."""

    id: int
    project_id: int
    group_id: int
    group_access: int
    expires_at: date | None


@routes.post("/projects/{id}/share", guard=SHARE_PROJECT, params=ShareProject, returns=GroupLink, errors=(409,))
def share_project(call: Call[ShareProject]) -> Answer:
    """Share a project with a group."""
    options = share.Share(call.params.group_id, call.params.group_access, call.params.expires_at)
    with call.write() as tx:
        link_id = share.share_project(tx, call.actor, call.project, options)
    return GroupLink(
        id=link_id,
        project_id=call.project.id,
        group_id=options.group_id,
        group_access=options.access_level,
        expires_at=options.expires_at,
    )


class UnshareProject(Params):
    """The group of a share."""

    group_id: int = Param("The group.", required=True)


@routes.delete("/projects/{id}/share/{group_id}", guard=SHARE_PROJECT, params=UnshareProject)
def unshare_project(call: Call[UnshareProject]) -> Answer:
    """End a share."""
    call.require_unmodified(share.shared_since(call.conn, call.project.id, call.params.group_id))
    with call.write() as tx:
        share.unshare_project(tx, call.actor, call.project, call.params.group_id)
