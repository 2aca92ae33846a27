"""External status checks of projects, their answers about merge requests, and what is still to be sent to them."""

from sqlalchemy import JSON, Column, ForeignKey, Index, String, Table, Text, UniqueConstraint

from ingot.kit.db import Id, UtcDateTime, metadata

external_status_checks = Table(
    "external_status_checks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("external_url", String(255), nullable=False),
    Column("sealed_secret", Text, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "name"),
    UniqueConstraint("project_id", "external_url"),
    sqlite_autoincrement=True,
)

# A check without any holds for all target branches.
status_check_branches = Table(
    "status_check_branches",
    metadata,
    Column("check_id", Id, ForeignKey("external_status_checks.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "protected_branch_id", Id, ForeignKey("protected_branches.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
)

status_check_responses = Table(
    "status_check_responses",
    metadata,
    Column("id", Id, primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), nullable=False),
    Column("check_id", Id, ForeignKey("external_status_checks.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("sha", String(64), nullable=False),
    Column("status", String(16), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_status_check_responses_request", status_check_responses.c.merge_request_id, status_check_responses.c.check_id)

status_check_messages = Table(
    "status_check_messages",
    metadata,
    Column("id", Id, primary_key=True),
    Column("check_id", Id, ForeignKey("external_status_checks.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("mark", String(64), nullable=False),
    Column("payload", Text, nullable=False),
    Column("late_parts", JSON, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
