"""Pipelines: one for each run of a commit's configuration."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, SmallInteger, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, Json, UtcDateTime, metadata

pipelines = Table(
    "pipelines",
    metadata,
    Column("id", Id, primary_key=True),
    Column("iid", Integer, nullable=False),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, nullable=True, index=True, info=GOES_TO_GHOST),
    Column("name", String(255), nullable=True),
    # A branch or tag name; `refs/merge-requests/<iid>/head` for merge requests.
    Column("ref", String(1024), nullable=False),
    Column("is_tag", Boolean, nullable=False, server_default="0"),
    Column("is_protected", Boolean, nullable=False, server_default="0"),
    Column("sha", String(64), nullable=False),
    Column("before_sha", String(64), nullable=False),
    Column("source", String(32), nullable=False),
    Column("status", String(32), nullable=False),
    Column("failure_reason", String(64), nullable=True),  # config_error, size_limit_exceeded, ...
    Column("yaml_errors", Text, nullable=True),
    Column("merge_request_id", Id, nullable=True),
    Column("schedule_id", Id, nullable=True, index=True),
    Column("trigger_id", Id, nullable=True),
    # The tree of child pipelines; the parent may lie in another project (source `pipeline`).
    Column("parent_id", Id, ForeignKey("pipelines.id", ondelete="SET NULL"), nullable=True, index=True),
    Column("root_id", Id, nullable=True, index=True),  # None: it is the root itself
    Column("depth", SmallInteger, nullable=False, server_default="0"),
    Column("bridge_id", Id, nullable=True, index=True),  # the job that triggered it
    # Protects artifacts of the newest successful pipeline of each ref from the cleanup.
    Column("is_locked", Boolean, nullable=False, server_default="1"),
    Column("variables", Json, nullable=False),  # of the file: PlannedVariable records
    Column("stages", Json, nullable=False),  # names in order
    # The commit as it was, so that lists of jobs start no git: see commits.CommitRecord.
    Column("commit", Json, nullable=False),
    Column("auto_cancel_on_new_commit", String(16), nullable=False, server_default="conservative"),
    Column("auto_cancel_on_job_failure", String(16), nullable=False, server_default="none"),
    Column("coverage", Float, nullable=True),
    Column("duration", Integer, nullable=True),
    Column("committed_at", UtcDateTime, nullable=True),
    Column("started_at", UtcDateTime, nullable=True),
    Column("finished_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Unique("project_id", "iid"),
    sqlite_autoincrement=True,
)
Index("ix_pipelines_project_id_id", pipelines.c.project_id, pipelines.c.id)
Index("ix_pipelines_project_ref", pipelines.c.project_id, pipelines.c.ref, pipelines.c.id)
Index("ix_pipelines_project_sha", pipelines.c.project_id, pipelines.c.sha, pipelines.c.id)
Index("ix_pipelines_project_status", pipelines.c.project_id, pipelines.c.status, pipelines.c.id)
Index("ix_pipelines_project_updated", pipelines.c.project_id, pipelines.c.updated_at, pipelines.c.id)
Index("ix_pipelines_merge_request", pipelines.c.merge_request_id, pipelines.c.id)

# Variables given to one pipeline by a caller, schedule, trigger or bridge. Values are sealed.
pipeline_variables = Table(
    "pipeline_variables",
    metadata,
    Column("id", Id, primary_key=True),
    Column("pipeline_id", Id, ForeignKey("pipelines.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(255), nullable=False),
    Column("sealed_value", Text, nullable=False),
    Column("variable_type", String(8), nullable=False, server_default="env_var"),
    Column("raw", Boolean, nullable=False, server_default="0"),
    Unique("pipeline_id", "key"),
    sqlite_autoincrement=True,
)
