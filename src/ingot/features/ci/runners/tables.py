"""Runners, what they serve, the machines that run under their token, and the instance's registration token."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.settled_data import settled_table

runners = Table(
    "runners",
    metadata,
    Column("id", Id, primary_key=True),
    Column("runner_type", String(16), nullable=False),  # instance_type | group_type | project_type
    Column("token_digest", String(64), nullable=False, unique=True),
    Column("short_token", String(16), nullable=False, server_default=""),
    Column("token_expires_at", UtcDateTime, nullable=True),
    Column("registration_type", String(24), nullable=False, server_default="authenticated_user"),
    Column("creator_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("name", String(255), nullable=True),
    Column("description", String(1024), nullable=True),
    Column("maintenance_note", Text, nullable=True),
    Column("active", Boolean, nullable=False, server_default="1"),  # not paused
    Column("locked", Boolean, nullable=False, server_default="0"),
    Column("run_untagged", Boolean, nullable=False, server_default="1"),
    Column("access_level", String(16), nullable=False, server_default="not_protected"),
    Column("maximum_timeout", Integer, nullable=True),
    Column("tag_list", Json, nullable=False),  # sorted
    Column("ip_address", String(64), nullable=True),
    Column("contacted_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_runners_type", runners.c.runner_type, runners.c.id)

runner_projects = Table(
    "runner_projects",
    metadata,
    Column("id", Id, primary_key=True),
    Column("runner_id", Id, ForeignKey("runners.id", ondelete="CASCADE"), nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Unique("runner_id", "project_id"),  # the lowest id is the owner
    sqlite_autoincrement=True,
)

runner_groups = Table(
    "runner_groups",
    metadata,
    Column("runner_id", Id, ForeignKey("runners.id", ondelete="CASCADE"), primary_key=True),
    Column("group_id", Id, ForeignKey("namespaces.id", ondelete="CASCADE"), primary_key=True, index=True),
)

runner_managers = Table(
    "runner_managers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("runner_id", Id, ForeignKey("runners.id", ondelete="CASCADE"), nullable=False),
    Column("system_id", String(64), nullable=False),
    Column("name", String(255), nullable=True),
    Column("version", String(255), nullable=True),
    Column("revision", String(255), nullable=True),
    Column("platform", String(255), nullable=True),
    Column("architecture", String(255), nullable=True),
    Column("executor", String(64), nullable=True),
    Column("ip_address", String(64), nullable=True),
    Column("features", Json, nullable=False),
    Column("contacted_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Unique("runner_id", "system_id"),
    sqlite_autoincrement=True,
)

# The registration token of the instance.
instance_registration_tokens = Table(
    "instance_registration_tokens",
    metadata,
    Column("id", Id, primary_key=True),  # only 1
    Column("token_digest", String(64), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)

# Which runners serve what; not when they were last heard of.
settled_table(runners, "runner_type", "active", "run_untagged", "access_level", "tag_list", "created_at")
for _table in (runner_projects, runner_groups):
    settled_table(_table)
