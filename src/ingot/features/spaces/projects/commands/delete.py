"""Deleting a project: delayed where tier and namespace allow it, else at once; and restoring it."""

import secrets
import string
from typing import Any

from sqlalchemy import Connection, delete, select, update

from ingot.access.paths import is_path_taken, lock_namespace, release_path
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.access.tables import namespaces, projects
from ingot.events import ProjectDeleted
from ingot.features.people.avatars import stored_in
from ingot.features.spaces.projects.commands.redirects import leave_redirect
from ingot.features.spaces.projects.commands.settling_storage import clear_everywhere
from ingot.features.spaces.projects.commands.texts import search_values
from ingot.features.spaces.projects.commands.topics import recount
from ingot.features.spaces.projects.tables import project_topics
from ingot.instance import application_setting
from ingot.kit import jobs
from ingot.kit.changes import Change, report_change, report_change_now
from ingot.kit.clock import now, today
from ingot.kit.errors import Failure
from ingot.kit.events import announce
from ingot.kit.services import Services
from ingot.settings import Settings

LONGEST_NAME = 255
NOT_MARKED = "Project must be marked for deletion first."
WRONG_PATH = "`full_path` is incorrect. You must enter the complete path for the project."


def is_delayed(conn: Connection, settings: Settings, project: Project) -> bool:
    """A group's project is kept for a grace period in the paid tiers; a personal one is deleted at once."""
    return (
        settings.has_tier("premium")
        and project.namespace_kind == "group"
        and bool(application_setting(conn, "delayed_project_deletion"))
        and application_setting(conn, "deletion_adjourned_period") > 0
    )


def require_removable(project: Project, full_path: str | None) -> None:
    """Permanent deletion within the grace period must confirm the current path."""
    if project.marked_for_deletion_on is None:
        raise Failure(400, NOT_MARKED)
    if full_path != project.full_path:
        raise Failure(400, WRONG_PATH)


def mark_for_deletion(tx: Connection, project: Project) -> None:
    """Start the grace period: archive the project and free its name. Safe to repeat."""
    if project.marked_for_deletion_on is not None:
        return
    _free_name(tx, project)
    tx.execute(
        update(projects).where(projects.c.id == project.id).values(archived=True, marked_for_deletion_on=today())
    )
    leave_redirect(tx, project.id, project.full_path)
    report_change(tx, Change("deletion", "mark", project.id, project_id=project.id))


def restore(tx: Connection, project: Project) -> None:
    """Restore the project; a name that was taken meanwhile gets a random suffix."""
    if project.marked_for_deletion_on is None:
        return
    suffix = f"-deleted-{project.id}"
    name, path = project.name.removesuffix(suffix), project.path.removesuffix(suffix)
    lock_namespace(tx, project.namespace_id)
    space = tx.execute(select(namespaces.c.full_path).where(namespaces.c.id == project.namespace_id)).scalar_one()
    while is_path_taken(tx, f"{space}/{path}", except_project=project.id) or _is_name_taken(tx, project, name):
        ending = "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(5))
        name, path = f"{project.name.removesuffix(suffix)}-{ending}", f"{project.path.removesuffix(suffix)}-{ending}"
    _rename(tx, project, name, path)
    tx.execute(update(projects).where(projects.c.id == project.id).values(archived=False, marked_for_deletion_on=None))
    report_change(tx, Change("deletion", "restore", project.id, project_id=project.id))


def delete_soon(tx: Connection, project_id: int) -> None:
    """Hide the project at once; a background job deletes it."""
    mark_pending_delete(tx, project_id)
    jobs.enqueue(tx, "delete_project", args={"project_id": project_id}, key=f"delete_project-{project_id}")


def mark_pending_delete(tx: Connection, project_id: int) -> None:
    """Hide a project that is about to be deleted, free its name, and cancel its background jobs."""
    jobs.cancel(tx, subject=f"project:{project_id}")
    project = tx.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if project is None:
        return
    if not project.pending_delete:
        report_change_now(tx, Change("project", "destroy", project_id, project_id=project_id))
    if not project.pending_delete and project.marked_for_deletion_on is None:
        _free_name(tx, project)
    tx.execute(update(projects).where(projects.c.id == project_id).values(pending_delete=True, updated_at=now()))


def delete_for_good(services: Services, project_id: int) -> None:
    """Delete the rows, notify other features, delete the repositories. Safe to repeat."""
    with services.db.read() as conn:
        project: Any = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if project is None:
        return
    with services.db.write() as tx:
        _lock_relatives(tx, project)
        topic_ids = set(
            tx.execute(select(project_topics.c.topic_id).where(project_topics.c.project_id == project_id)).scalars()
        )
        leave_fork_network(tx, project)
        tx.execute(update(projects).where(projects.c.forked_from_id == project_id).values(forked_from_id=None))
        tx.execute(delete(projects).where(projects.c.id == project_id))
        recount(tx, topic_ids)
    announce(services, ProjectDeleted(project_id))
    clear_everywhere(services, project_id)
    services.blobs.delete_prefix(stored_in("project", project_id))


def _lock_relatives(tx: Connection, project: ProjectRow) -> None:
    """Lock the project, its source and its forks in the order of their ids: they may be deleted at the same time."""
    source, forks = projects.c.id == project.forked_from_id, projects.c.forked_from_id == project.id
    relatives = select(projects.c.id).where((projects.c.id == project.id) | source | forks)
    tx.execute(relatives.order_by(projects.c.id).with_for_update()).all()


def leave_fork_network(tx: Connection, project: ProjectRow) -> None:
    """Remove the fork relation; the source counts one fork less."""
    if project.forked_from_id is not None:
        source = update(projects).where(projects.c.id == project.forked_from_id, projects.c.forks_count > 0)
        tx.execute(source.values(forks_count=projects.c.forks_count - 1))
        tx.execute(update(projects).where(projects.c.id == project.id).values(forked_from_id=None))


def _free_name(tx: Connection, project: ProjectRow) -> None:
    """Free name and path for a new project."""
    suffix = f"-deleted-{project.id}"
    room = LONGEST_NAME - len(suffix)
    _rename(tx, project, f"{project.name[:room]}{suffix}", f"{project.path[:room]}{suffix}")


def _is_name_taken(tx: Connection, project: Project, name: str) -> bool:
    same_name = (
        (projects.c.namespace_id == project.namespace_id) & (projects.c.name == name) & (projects.c.id != project.id)
    )
    return tx.execute(select(projects.c.id).where(same_name)).first() is not None


def _rename(tx: Connection, project: ProjectRow, name: str, path: str) -> None:
    space = tx.execute(
        select(namespaces.c.full_path, namespaces.c.full_name).where(namespaces.c.id == project.namespace_id)
    ).one()
    full_path = f"{space.full_path}/{path}"
    release_path(tx, full_path)
    tx.execute(
        update(projects)
        .where(projects.c.id == project.id)
        .values(
            name=name,
            path=path,
            full_path=full_path,
            full_path_lower=full_path.lower(),
            full_name=f"{space.full_name} / {name}",
            **search_values(name, path, project.description),
            updated_at=now(),
        )
    )
