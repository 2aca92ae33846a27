"""Creating and removing dependencies."""

from sqlalchemy import Connection, func, insert, select

from ingot.features.review.merge_request_blocks.tables import merge_request_blocks as blocks
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Failure

MOST = 10


def create_block(tx: Connection, blocked_id: int, blocking_id: int) -> int:
    """Make one merge request wait for another; 409 if it does already, 400 if it cannot."""
    known = select(blocks.c.id).where(blocks.c.blocked_id == blocked_id, blocks.c.blocking_id == blocking_id)
    if tx.execute(known).first() is not None:
        raise Conflict("Block already exists")
    problems = []
    if blocked_id == blocking_id:
        problems.append("This block is self-referential")
    if _count(tx, blocks.c.blocking_id == blocked_id) >= MOST:
        problems.append(f"Merge request blocks the maximum number of merge requests ({MOST})")
    if _count(tx, blocks.c.blocked_id == blocking_id) >= MOST:
        problems.append(f"Merge request is blocked by the maximum number of merge requests ({MOST})")
    if problems:
        raise Failure(400, ", ".join(problems))
    moment = now()
    created = insert(blocks).values(
        blocked_id=blocked_id, blocking_id=blocking_id, created_at=moment, updated_at=moment
    )
    return int(tx.execute(created.returning(blocks.c.id)).scalar_one())


def _count(tx: Connection, condition: object) -> int:
    return int(tx.execute(select(func.count()).select_from(blocks).where(condition)).scalar_one())  # type: ignore[arg-type]
