"""Environments, what was deployed to them, and the merge requests that each deployment includes."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, UtcDateTime, metadata

environments = Table(
    "environments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("slug", String(24), nullable=False),
    Column("external_url", Text, nullable=True),
    Column("state", String(16), nullable=False, server_default="available"),
    Column("tier", String(16), nullable=False, server_default="other"),
    Column("description", Text, nullable=True),
    Column("auto_stop_at", UtcDateTime, nullable=True),
    Column("auto_delete_at", UtcDateTime, nullable=True, index=True),
    Column("auto_stop_setting", String(16), nullable=False, server_default="always"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "name"),
    sqlite_autoincrement=True,
)

deployments = Table(
    "deployments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("iid", Integer, nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("environment_id", Id, ForeignKey("environments.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("job_id", Id, nullable=True, index=True),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("ref", String(255), nullable=False),
    Column("is_tag", Boolean, nullable=False, server_default="0"),
    Column("sha", String(64), nullable=False),
    Column("status", String(16), nullable=False),
    Column("finished_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("project_id", "iid"),
    sqlite_autoincrement=True,
)
Index("ix_deployments_finished", deployments.c.finished_at)

deployment_merge_requests = Table(
    "deployment_merge_requests",
    metadata,
    Column("deployment_id", Id, ForeignKey("deployments.id", ondelete="CASCADE"), primary_key=True),
    Column("merge_request_id", Id, ForeignKey("merge_requests.id", ondelete="CASCADE"), primary_key=True, index=True),
)
