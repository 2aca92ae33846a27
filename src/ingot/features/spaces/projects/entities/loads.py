"""Bulk loads of both forms of a page of projects, one statement each."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, and_, bindparam, func, select

from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.levels import NO_ACCESS, PLANNER
from ingot.access.subjects import Project
from ingot.access.tables import namespaces, project_authorizations, projects
from ingot.access.visibility import visible_projects
from ingot.features.spaces.projects.entities.hidden_issues import count_hidden_issues
from ingot.features.spaces.projects.entities.namespace import namespaces_with_owners
from ingot.features.spaces.projects.rows import ListedProjectRow, OwnedNamespaceRow
from ingot.features.spaces.projects.tables import project_topics, topics
from ingot.kit.actor import Actor
from ingot.kit.entity import group_by
from ingot.kit.statements import Query, lasting


def subject_of(row: ListedProjectRow | Project) -> Project:
    """A row of a list as the actor sees it."""
    return row if isinstance(row, Project) else Project(row, row.actor_level or NO_ACCESS)


_IDS: BindParameter[int] = bindparam("ids", expanding=True)


@cache
def _visible(kind: ActorKind) -> Select[Any]:
    rights = project_authorizations
    return (
        select(*projects.c, rights.c.access_level.label("actor_level"))
        .join_from(
            projects,
            rights,
            and_(rights.c.project_id == projects.c.id, rights.c.user_id == bindparam("actor_id")),
            isouter=True,
        )
        .where(projects.c.id.in_(_IDS), visible_projects(kind.anybody()))
    )


def load_visible(conn: Connection, actor: Actor, ids: Collection[int]) -> list[Project]:
    """The projects among these that the actor may see."""
    rows = conn.execute(_visible(kind_of(actor)), {"ids": ids, **actor_values(actor)})
    return [subject_of(row) for row in rows]


_NAMESPACES = lasting(namespaces_with_owners().where(namespaces.c.id.in_(_IDS)))


def load_namespaces(conn: Connection, rows: Iterable[Project]) -> dict[int, OwnedNamespaceRow]:
    """The namespaces of these projects, with their owners."""
    return {row.namespace_id: row for row in conn.execute(*namespaces_query(rows))}


def namespaces_query(rows: Iterable[Project]) -> Query:
    """What `load_namespaces` asks."""
    return _NAMESPACES, {"ids": sorted({project.row.namespace_id for project in rows})}


def load_fork_counts(conn: Connection, actor: Actor, rows: Iterable[Project]) -> dict[int, int]:
    """How many forks of each project the actor may see; the stored number counts private ones too."""
    forked = {project.id: project.row.forks_count for project in rows if project.row.forks_count}
    if actor.is_admin or not forked:
        return forked
    counts = conn.execute(_forks(kind_of(actor)), {"ids": forked, **actor_values(actor)})
    return {row[0]: row[1] for row in counts}


@cache
def _forks(kind: ActorKind) -> Select[Any]:
    return (
        select(projects.c.forked_from_id, func.count())
        .where(projects.c.forked_from_id.in_(_IDS), visible_projects(kind.anybody()))
        .group_by(projects.c.forked_from_id)
    )


def load_hidden_issue_counts(conn: Connection, actor: Actor, rows: Iterable[Project]) -> dict[int, int]:
    """How many open issues of each project are hidden from the actor."""
    project_ids = [project.id for project in rows if project.row.open_issues_count and project.level < PLANNER]
    if actor.is_admin or not project_ids:
        return {}
    return count_hidden_issues(conn, project_ids)


_TOPICS = (
    select(project_topics.c.project_id, topics.c.name)
    .join_from(project_topics, topics, topics.c.id == project_topics.c.topic_id)
    .where(project_topics.c.project_id.in_(_IDS))
    .order_by(topics.c.name)
)


def load_topics(conn: Connection, rows: Iterable[Project]) -> dict[int, list[str]]:
    """The topics of these projects, by name."""
    records = conn.execute(*topics_query(rows))
    return {key: [row.name for row in part] for key, part in group_by(records, lambda row: row.project_id).items()}


def topics_query(rows: Iterable[Project]) -> Query:
    """What `load_topics` asks."""
    return _TOPICS, {"ids": [row.id for row in rows]}
