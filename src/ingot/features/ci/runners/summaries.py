"""What people read of a page of runners beside the fields of the API's lists."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from ingot.features.ci.runners.queries import is_readable, newest_machines
from ingot.features.ci.runners.tables import runners
from ingot.kit.actor import Actor
from ingot.kit.entity import wire_or_none


class RunnerSummary(msgspec.Struct, frozen=True):
    """Fields that the API tells of a single runner only."""

    tag_list: list[str]
    contacted_at: datetime | None
    version: str | None


def runner_summaries(conn: Connection, actor: Actor, ids: Sequence[int]) -> dict[int, RunnerSummary]:
    """By id, in two statements; without those that the actor may not read alone."""
    query = select(runners.c.id, runners.c.tag_list, runners.c.contacted_at)
    rows = conn.execute(query.where(runners.c.id.in_(ids), is_readable(actor))).all() if ids else []
    machines = newest_machines(conn, [row.id for row in rows]) if rows else {}
    return {
        row.id: RunnerSummary(
            row.tag_list,
            wire_or_none(row.contacted_at),
            machines[row.id].version if row.id in machines else None,
        )
        for row in rows
    }
