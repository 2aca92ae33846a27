"""Pipelines that failed for the person who started them, as long as no newer one of the branch says otherwise."""

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Connection, select

from ingot.access.levels import REPORTER
from ingot.access.tables import projects
from ingot.access.visibility import feature_readable, visible_projects
from ingot.features.ci.engine import pipelines
from ingot.kit.actor import Actor
from ingot.kit.clock import now

RECENT = timedelta(days=7)


class FailedPipeline(msgspec.Struct, frozen=True):
    """A pipeline with its project."""

    id: int
    ref: str
    project_path: str
    created_at: datetime


def failed_pipelines(conn: Connection, actor: Actor, most: int = 10) -> list[FailedPipeline]:
    """The actor's failed pipelines of the last days that are the newest of their branch, newest first."""
    table, newer = pipelines.c, pipelines.alias("newer")
    overtaken = (
        select(newer.c.id)
        .where(
            newer.c.project_id == table.project_id,
            newer.c.ref == table.ref,
            newer.c.id > table.id,
            newer.c.parent_id.is_(None),
        )
        .correlate(pipelines)
    )
    query = (
        select(table.id, table.ref, projects.c.full_path, table.created_at)
        .join_from(pipelines, projects, projects.c.id == table.project_id)
        .where(
            table.user_id == actor.id, table.status == "failed", table.created_at > now() - RECENT, ~overtaken.exists(),
            table.parent_id.is_(None), visible_projects(actor), feature_readable(actor, "builds", REPORTER),
        )
        .order_by(table.id.desc())
        .limit(most)
    )  # fmt: skip
    return [FailedPipeline(*row) for row in conn.execute(query)]
