"""What both forms of a page of projects need from other tables, each in one statement."""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Connection, and_, select

from ingot.access.levels import NO_ACCESS
from ingot.access.subjects import Project
from ingot.access.tables import namespaces, project_authorizations, projects
from ingot.access.visibility import visible_projects
from ingot.features.projects.entities.namespace import namespaces_with_owners
from ingot.features.projects.tables import project_topics, topics
from ingot.kit.actor import Actor
from ingot.kit.entity import group_by


def subject_of(row: Any) -> Project:
    """A row of a list as the actor sees it."""
    return row if isinstance(row, Project) else Project(row, row.actor_level or NO_ACCESS)


def load_visible(conn: Connection, actor: Actor, ids: Collection[int]) -> list[Project]:
    """Those of these projects that the actor may see."""
    rights = project_authorizations
    statement = (
        select(*projects.c, rights.c.access_level.label("actor_level"))
        .join_from(
            projects,
            rights,
            and_(rights.c.project_id == projects.c.id, rights.c.user_id == (actor.user_id or 0)),
            isouter=True,
        )
        .where(projects.c.id.in_(ids), visible_projects(actor))
    )
    return [subject_of(row) for row in conn.execute(statement)]


def load_namespaces(conn: Connection, rows: Iterable[Any]) -> dict[int, Any]:
    """The namespaces of these projects, with their owners."""
    wanted = {row.namespace_id for row in rows}
    found = conn.execute(namespaces_with_owners().where(namespaces.c.id.in_(wanted)))
    return {row.namespace_id: row for row in found}


def load_topics(conn: Connection, rows: Iterable[Any]) -> dict[int, list[str]]:
    """The topics of these projects, by name."""
    wanted = [row.id for row in rows]
    found = conn.execute(
        select(project_topics.c.project_id, topics.c.name)
        .join_from(project_topics, topics, topics.c.id == project_topics.c.topic_id)
        .where(project_topics.c.project_id.in_(wanted))
        .order_by(topics.c.name)
    )
    return {key: [row.name for row in part] for key, part in group_by(found, lambda row: row.project_id).items()}
