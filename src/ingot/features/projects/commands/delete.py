"""Deleting a project: delayed where the tier and the namespace say so, else at once; and the way back."""

from typing import Any

from sqlalchemy import Connection, delete, select, update

from ingot.access.events import ProjectDeleted
from ingot.access.tables import projects
from ingot.features.projects.commands.topics import recount
from ingot.features.projects.tables import project_topics
from ingot.gitstore.storage import delete as delete_repository
from ingot.kit.clock import now
from ingot.kit.events import announce
from ingot.kit.services import Services


def mark_pending_delete(tx: Connection, project_id: int) -> None:
    """From now on every call answers as if the project were gone."""
    tx.execute(update(projects).where(projects.c.id == project_id).values(pending_delete=True, updated_at=now()))


def delete_for_good(services: Services, project_id: int) -> None:
    """Remove the rows, tell the other features, remove the repositories. Running it again does no harm."""
    with services.db.read() as conn:
        project: Any = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if project is None:
        return
    with services.db.write() as tx:
        topic_ids = set(
            tx.execute(select(project_topics.c.topic_id).where(project_topics.c.project_id == project_id)).scalars()
        )
        if project.forked_from_id is not None:
            parent = projects.c.id == project.forked_from_id
            tx.execute(
                update(projects)
                .where(parent, projects.c.forks_count > 0)
                .values(forks_count=projects.c.forks_count - 1)
            )
        tx.execute(update(projects).where(projects.c.forked_from_id == project_id).values(forked_from_id=None))
        tx.execute(delete(projects).where(projects.c.id == project_id))
        recount(tx, topic_ids)
    announce(services, ProjectDeleted(project_id))
    for kind in ("", "wiki", "design"):
        delete_repository(services.storages.repository(project.repository_storage, project_id, kind))
