"""One row per uploaded file, of a project or of a group."""

from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Index, String, Table, select

from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.db import Id, UtcDateTime, metadata

uploads = Table(
    "uploads",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), nullable=True),
    Column("secret", String(32), nullable=False),
    Column("filename", String(255), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("media_type", String(100), nullable=False),
    Column("blob_key", String(255), nullable=False),
    Column("uploaded_by_id", Id, ForeignKey("users.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    CheckConstraint("(project_id IS NULL) <> (group_id IS NULL)", name="one_owner"),
    sqlite_autoincrement=True,
)
for _owner in ("project_id", "group_id"):
    Index(f"uq_uploads_{_owner}_secret", uploads.c[_owner], uploads.c.secret, uploads.c.filename, unique=True)
    Index(f"ix_uploads_{_owner}_newest", uploads.c[_owner], uploads.c.created_at, uploads.c.id)

refers_to_blobs("uploads/", lambda: select(uploads.c.blob_key))
