"""The table of viewed files. Archives do not carry them: they are private to those who viewed."""

from sqlalchemy import Column, ForeignKey, String, Table

from ingot.kit.db import Id, UtcDateTime, metadata

viewed_files = Table(
    "viewed_files",
    metadata,
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("path_sha", String(40), primary_key=True),  # of the path, which may be longer than an index takes
    Column("blob_id", String(64), nullable=False),  # what was viewed; the mark does not hold for another
    Column("created_at", UtcDateTime, nullable=False),
)
