"""Archiving, unarchiving, and stars."""

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.spaces.projects.commands.reporting import report_project
from ingot.features.spaces.projects.tables import project_stars
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import NotModified


def set_archived(tx: Connection, project: Project, *, archived: bool) -> None:
    """Archive or unarchive the project; does nothing if it is in that state already."""
    if project.archived != archived:
        tx.execute(update(projects).where(projects.c.id == project.id).values(archived=archived, updated_at=now()))
        report_project(tx, "update", project)


def star(tx: Connection, project: Project, actor: Actor) -> None:
    """Star the project."""
    try:
        with tx.begin_nested():
            tx.execute(insert(project_stars).values(user_id=actor.id, project_id=project.id, starred_since=now()))
    except IntegrityError:
        raise NotModified from None
    _recount(tx, project.id)


def unstar(tx: Connection, project: Project, actor: Actor) -> None:
    """Remove the actor's star."""
    own_star = (project_stars.c.user_id == actor.id) & (project_stars.c.project_id == project.id)
    if tx.execute(delete(project_stars).where(own_star)).rowcount == 0:
        raise NotModified
    _recount(tx, project.id)


def _recount(tx: Connection, project_id: int) -> None:
    number = select(func.count()).where(project_stars.c.project_id == project_id).scalar_subquery()
    tx.execute(update(projects).where(projects.c.id == project_id).values(star_count=number))
