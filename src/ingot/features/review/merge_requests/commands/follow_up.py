"""Completing a merge whose process died after the target moved."""

from msgspec.structs import replace
from sqlalchemy import select

from ingot.events import RefChange
from ingot.features.code.pushing import Note
from ingot.features.review.merge_requests import queries, states
from ingot.features.review.merge_requests.commands.after_merge import after_merge
from ingot.features.review.merge_requests.commands.merge import repair
from ingot.features.review.merge_requests.commands.merge_commits import MergedCommits
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.services import Services


def follow_merge(services: Services, merge_request_id: int, change: RefChange, note: Note) -> bool:
    """Returns whether the request was merged; announcing that merge also announced the push."""
    with services.db.read() as conn:
        row = queries.find_by_id(conn, merge_request_id)
        if row is not None:
            row = repair(services, conn, row)
        if row is None or row.state != states.MERGED or row.merged_by_id is None:
            return False
        user = conn.execute(select(users).where(users.c.id == row.merged_by_id)).one()
    created = MergedCommits(
        change.new, change.old, row.merge_commit_sha, row.squash_commit_sha, replace(note, more_follows=True)
    )
    after_merge(services, row, actor_of_user(user), created)
    return True
