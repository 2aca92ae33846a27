"""Objects of Git LFS, one row for each project that has one. Forks name the object of their source."""

from sqlalchemy import BigInteger, Column, ForeignKey, String, Table, UniqueConstraint, select

from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.db import Id, UtcDateTime, metadata

lfs_objects = Table(
    "lfs_objects",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("oid", String(64), nullable=False),  # SHA-256 of the content, hex
    Column("size", BigInteger, nullable=False),
    Column("blob_key", String(255), nullable=False, index=True),
    Column("created_at", UtcDateTime, nullable=False),  # or announced again by a client, see `commands.renew`
    UniqueConstraint("project_id", "oid"),
    sqlite_autoincrement=True,
)

# An object that no project names any more is removed by the daily sweep.
refers_to_blobs("lfs/", lambda: select(lfs_objects.c.blob_key))
