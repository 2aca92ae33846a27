"""Pipeline schedules and the variables that they give to their pipelines."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, Json, UtcDateTime, metadata

pipeline_schedules = Table(
    "pipeline_schedules",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("owner_id", Id, nullable=True, index=True, info=GOES_TO_GHOST),
    Column("description", String(255), nullable=False),
    Column("ref", String(1024), nullable=False),
    Column("cron", String(255), nullable=False),
    Column("cron_timezone", String(64), nullable=False),
    Column("next_run_at", UtcDateTime, nullable=True),
    Column("active", Boolean, nullable=False, server_default="1"),
    Column("inputs", Json, nullable=False),  # [{"name", "value"}]
    Column("last_pipeline_id", Id, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_pipeline_schedules_due", pipeline_schedules.c.active, pipeline_schedules.c.next_run_at)

pipeline_schedule_variables = Table(
    "pipeline_schedule_variables",
    metadata,
    Column("id", Id, primary_key=True),
    Column("schedule_id", Id, ForeignKey("pipeline_schedules.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(255), nullable=False),
    Column("sealed_value", Text, nullable=False),
    Column("variable_type", String(8), nullable=False, server_default="env_var"),
    Column("raw", Boolean, nullable=False, server_default="0"),
    Unique("schedule_id", "key"),
    sqlite_autoincrement=True,
)
