"""`with_merge_status_recheck`: lists request a recheck of what they show, in the background."""

from collections.abc import Sequence
from hashlib import sha256

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.levels import DEVELOPER
from ingot.access.tables import project_authorizations
from ingot.features.review.merge_requests import states
from ingot.features.review.merge_requests.rows import MergeRequestRow
from ingot.instance import is_on
from ingot.kit.jobs import enqueue


def ask_for_recheck(call: Call, rows: Sequence[MergeRequestRow]) -> None:
    """Queue a check of the requests whose state is not known; with the restricting flag only for Developers."""
    stale = [row for row in rows if row.state == states.OPENED and row.merge_status in states.NEEDS_CHECK]
    if not stale or call.actor.is_anonymous:
        return
    if is_on(call.conn, "restrict_merge_status_recheck") and not call.actor.is_admin:
        rights = project_authorizations
        allowed = set(
            call.conn.execute(
                select(rights.c.project_id).where(
                    rights.c.user_id == call.actor.id,
                    rights.c.access_level >= DEVELOPER,
                    rights.c.project_id.in_({row.project_id for row in stale}),
                )
            ).scalars()
        )
        stale = [row for row in stale if row.project_id in allowed]
    if stale:
        ids = sorted(row.id for row in stale)
        key = sha256(repr(ids).encode()).hexdigest()
        with call.write() as tx:
            enqueue(tx, "merge_request_check", key=f"check-{key}", args={"merge_request_ids": ids}, rerun=True)
