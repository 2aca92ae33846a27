"""The files of default branches, and the contents that they share.

A content is stored once, however many projects and paths have it: a fork or a renamed file costs a row and no text.
"""

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

code_indexes = Table(
    "code_indexes",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("head", String(64), nullable=False),  # the commit whose files are in the index
    Column("updated_at", UtcDateTime, nullable=False),
)

code_contents = Table(
    "code_contents",
    metadata,
    Column("id", Id, primary_key=True),
    Column("sha", String(64), nullable=False, unique=True),
    Column("size", Integer, nullable=False),
    Column("text", LargeBinary, nullable=True),  # compressed; None where only the path can be searched
    sqlite_autoincrement=True,  # the trigram index knows contents by their numbers
)

code_files = Table(
    "code_files",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("path", Text, nullable=False),
    Column("path_lower", Text, nullable=False),
    Column("content_id", Id, ForeignKey("code_contents.id"), nullable=False, index=True),
    UniqueConstraint("project_id", "path"),
    sqlite_autoincrement=True,
)
