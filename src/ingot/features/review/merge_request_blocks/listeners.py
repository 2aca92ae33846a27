"""Effects on merging: an unmerged blocker prevents merging; merging a blocker rechecks the blocked requests."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

from ingot.events import MergeRequestChanged
from ingot.features.review.merge_request_blocks.tables import merge_request_blocks as blocks
from ingot.features.review.merge_requests import PAGE, MergeRequestRow, merge_requests, register_check, try_waiting
from ingot.kit.events import listen
from ingot.kit.services import Services

_BLOCKED = (
    select(blocks.c.blocked_id)
    .join_from(blocks, merge_requests, merge_requests.c.id == blocks.c.blocking_id)
    .where(blocks.c.blocked_id.in_(PAGE), merge_requests.c.state != "merged")
)


@register_check(3, "merge_request_blocked", _BLOCKED)
def blocked(_conn: Connection, rows: Sequence[MergeRequestRow]) -> set[int]:
    """Requests that still wait for another; a closed blocker still blocks."""
    return {row.id for row in rows}


_HELD = select(blocks.c.blocked_id).where(blocks.c.blocking_id == bindparam("blocking"))


@listen(MergeRequestChanged, order=95)
def wake_blocked(services: Services, event: MergeRequestChanged) -> None:
    """Recheck auto-merges that waited for this one."""
    if event.what != "merged":
        return
    with services.db.read() as conn:
        waiting = list(conn.execute(_HELD, {"blocking": event.merge_request_id}).scalars())
    for merge_request_id in waiting:
        try_waiting(services, merge_request_id)
