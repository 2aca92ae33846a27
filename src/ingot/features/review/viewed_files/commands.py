"""Marking files as viewed."""

from sqlalchemy import ColumnElement, Connection, delete, func, select

from ingot.features.review.viewed_files.tables import viewed_files
from ingot.kit.clock import now
from ingot.kit.errors import BadRequest
from ingot.kit.patterns import HEX, consists_of
from ingot.kit.upsert import upsert

MOST = 5000  # of one person on one merge request
ID_LENGTHS = (40, 64)


def mark_viewed(tx: Connection, merge_request_id: int, user_id: int, path_sha: str, blob_id: str) -> None:
    """The person has viewed this blob at this path."""
    if not _is_id(path_sha, 40) or not any(_is_id(blob_id, length) for length in ID_LENGTHS):
        raise BadRequest("The file and what was viewed of it are named by their ids")
    others = _of(merge_request_id, user_id) & (viewed_files.c.path_sha != path_sha)
    if tx.execute(select(func.count()).select_from(viewed_files).where(others)).scalar_one() >= MOST:
        raise BadRequest(f"At most {MOST} files of a merge request can be marked as viewed")
    values = {"blob_id": blob_id, "created_at": now()}
    statement = upsert(tx.dialect.name, viewed_files).values(
        merge_request_id=merge_request_id, user_id=user_id, path_sha=path_sha, **values
    )
    tx.execute(statement.on_conflict_do_update(index_elements=["merge_request_id", "user_id", "path_sha"], set_=values))


def unmark_viewed(tx: Connection, merge_request_id: int, user_id: int, path_sha: str) -> None:
    """The person wants to view the file again."""
    tx.execute(delete(viewed_files).where(_of(merge_request_id, user_id), viewed_files.c.path_sha == path_sha))


def _of(merge_request_id: int, user_id: int) -> ColumnElement[bool]:
    return (viewed_files.c.merge_request_id == merge_request_id) & (viewed_files.c.user_id == user_id)


def _is_id(text: str, length: int) -> bool:
    return len(text) == length and consists_of(text, HEX)
