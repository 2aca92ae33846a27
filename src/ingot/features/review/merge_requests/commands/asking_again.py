"""Asking reviewers once more, who have said what they think."""

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import Connection, update

from ingot.features.planning.issuable_changes import snapshot
from ingot.features.planning.issuables import Target
from ingot.features.planning.notes import record_changes
from ingot.features.review.merge_requests.tables import merge_request_reviewers

DECIDED = ("reviewed", "requested_changes", "unapproved")  # an approval stands


def ask_again(tx: Connection, target: Target, user_id: int | None, reviewers: Sequence[int]) -> None:
    """Their review is awaited again. They are told as when they became reviewers: by a note, a to-do item and mail."""
    table = merge_request_reviewers
    decided = (table.c.merge_request_id == target.id, table.c.user_id.in_(reviewers), table.c.state.in_(DECIDED))
    asked = update(table).where(*decided).values(state="unreviewed").returning(table.c.user_id)
    people = set(tx.execute(asked).scalars()) if reviewers else set()
    if not people:
        return
    after = snapshot(tx, target)
    before = replace(after, reviewers={one: name for one, name in after.reviewers.items() if one not in people})
    record_changes(tx, target, user_id, before, after)
