"""Dependencies between merge requests."""

from sqlalchemy import Column, ForeignKey, Table, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

merge_request_blocks = Table(
    "merge_request_blocks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("blocking_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("blocked_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("blocked_id", "blocking_id"),
    sqlite_autoincrement=True,
)
