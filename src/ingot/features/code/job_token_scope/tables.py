"""Which other projects' jobs may reach a project with their tokens."""

from sqlalchemy import Column, ForeignKey, Table

from ingot.kit.db import Id, UtcDateTime, metadata

job_token_allowed_projects = Table(
    "job_token_allowed_projects",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),  # the one reached
    Column("allowed_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
)
job_token_allowed_groups = Table(
    "job_token_allowed_groups",
    metadata,
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("allowed_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
)
