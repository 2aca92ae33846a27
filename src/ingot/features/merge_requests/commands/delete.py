"""Deleting a merge request with everything that hangs on it."""

from sqlalchemy import Connection, delete, select

from ingot.features.award_emoji import award_emoji
from ingot.features.merge_requests.tables import merge_requests
from ingot.features.notes.tables import notes
from ingot.features.todos.tables import todos


def delete_merge_request(tx: Connection, merge_request_id: int) -> None:
    """Remove the request; notes, reactions and to-do items have no foreign key and are removed by hand."""
    mine = (notes.c.noteable_type == "MergeRequest") & (notes.c.noteable_id == merge_request_id)
    tx.execute(
        delete(award_emoji).where(
            award_emoji.c.awardable_type == "Note", award_emoji.c.awardable_id.in_(select(notes.c.id).where(mine))
        )
    )
    tx.execute(
        delete(award_emoji).where(
            award_emoji.c.awardable_type == "MergeRequest", award_emoji.c.awardable_id == merge_request_id
        )
    )
    tx.execute(delete(todos).where(todos.c.target_type == "MergeRequest", todos.c.target_id == merge_request_id))
    tx.execute(delete(notes).where(mine))
    tx.execute(delete(merge_requests).where(merge_requests.c.id == merge_request_id))
