"""Dependencies on the wire; a request that the caller may not read is left out."""

from collections.abc import Sequence

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.features.review.merge_request_blocks.rows import BlockRow
from ingot.features.review.merge_requests import (
    MergeRequestBasic,
    merge_requests,
    present_embedded,
    readable_merge_requests,
    with_project,
)
from ingot.kit.entity import UNSET, Entity, UnsetType


class Block(Entity, kw_only=True):
    """One dependency."""

    id: int
    blocking_merge_request: MergeRequestBasic | UnsetType = UNSET
    blocked_merge_request: MergeRequestBasic | UnsetType = UNSET
    project_id: int


def present(call: Call, rows: Sequence[BlockRow]) -> list[Block]:
    """A page of dependencies, with all their requests in one load."""
    ids = {row.blocking_id for row in rows} | {row.blocked_id for row in rows}
    visible = call.conn.execute(
        with_project().where(merge_requests.c.id.in_(ids), readable_merge_requests(call.actor))
    ).all()
    shown = {item.id: item for item in present_embedded(call, visible)} if visible else {}
    homes = _projects(call, {row.blocking_id for row in rows})
    return [
        Block(
            id=row.id,
            blocking_merge_request=shown.get(row.blocking_id, UNSET),
            blocked_merge_request=shown.get(row.blocked_id, UNSET),
            project_id=homes[row.blocking_id],
        )
        for row in rows
    ]


def _projects(call: Call, ids: set[int]) -> dict[int, int]:
    query = (
        select(merge_requests.c.id, projects.c.id.label("project_id"))
        .join_from(merge_requests, projects, projects.c.id == merge_requests.c.project_id)
        .where(merge_requests.c.id.in_(ids))
    )
    return {row.id: row.project_id for row in call.conn.execute(query)}
