"""Reading marks: only those of one person."""

from sqlalchemy import Connection, bindparam, select

from ingot.features.review.viewed_files.tables import viewed_files

_VIEWED = select(viewed_files.c.path_sha, viewed_files.c.blob_id).where(
    viewed_files.c.merge_request_id == bindparam("merge_request_id"), viewed_files.c.user_id == bindparam("user_id")
)


def viewed_blobs(conn: Connection, merge_request_id: int, user_id: int) -> dict[str, str]:
    """By the SHA-1 of the path: the blob that the person viewed there."""
    rows = conn.execute(_VIEWED, {"merge_request_id": merge_request_id, "user_id": user_id})
    return {row.path_sha: row.blob_id for row in rows}
