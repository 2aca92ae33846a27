"""Reading topics of projects that the caller may see."""

from typing import Any

from sqlalchemy import Select, func, or_, select

from ingot.access.tables import projects
from ingot.access.visibility import visible_projects
from ingot.features.spaces.projects import project_topics, topics
from ingot.kit.actor import Actor


def visible_topics(actor: Actor) -> Select[Any]:
    """Topics with the number of their projects that the actor may see; those of hidden projects alone are left out.

    A topic without any project was made by an administrator, for everybody.
    """
    if actor.is_admin:
        return select(*topics.c, topics.c.projects_count.label("visible_count"))
    number = (
        select(func.count())
        .select_from(project_topics.join(projects, projects.c.id == project_topics.c.project_id))
        .where(project_topics.c.topic_id == topics.c.id, visible_projects(actor))
        .correlate(topics)
        .scalar_subquery()
    )
    return select(*topics.c, number.label("visible_count")).where(or_(topics.c.projects_count == 0, number > 0))


def without_projects(query: Select[Any], actor: Actor) -> Select[Any]:
    """Topics without projects; a filter for administrators."""
    return query.where(topics.c.projects_count == 0) if actor.is_admin else query
