"""Releases with their links, milestones and evidence."""

from sqlalchemy import Column, ForeignKey, Index, String, Table, Text, UniqueConstraint

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, UtcDateTime, metadata

releases = Table(
    "releases",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("author_id", Id, nullable=True, index=True, info=GOES_TO_GHOST),
    Column("tag", String(255), nullable=False),
    Column("name", String(255), nullable=False),
    Column("description", Text, nullable=True),
    Column("sha", String(64), nullable=True),  # the commit of the tag; None where an archive does not know it
    Column("released_at", UtcDateTime, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "tag"),
    sqlite_autoincrement=True,
)
Index("ix_releases_project_released_at", releases.c.project_id, releases.c.released_at, releases.c.id)

release_links = Table(
    "release_links",
    metadata,
    Column("id", Id, primary_key=True),
    Column("release_id", Id, ForeignKey("releases.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("url", Text, nullable=False),
    Column("filepath", String(128), nullable=True),
    Column("link_type", String(16), nullable=False, server_default="other"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("release_id", "name"),
    sqlite_autoincrement=True,
)

release_milestones = Table(
    "release_milestones",
    metadata,
    Column("release_id", Id, ForeignKey("releases.id", ondelete="CASCADE"), primary_key=True),
    Column("milestone_id", Id, ForeignKey("milestones.id", ondelete="CASCADE"), primary_key=True, index=True),
)

release_evidences = Table(
    "release_evidences",
    metadata,
    Column("id", Id, primary_key=True),
    Column("release_id", Id, ForeignKey("releases.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("sha", String(64), nullable=False),  # SHA-256 of the summary
    Column("summary", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
