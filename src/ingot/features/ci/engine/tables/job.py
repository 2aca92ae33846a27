"""Jobs of every kind: builds for runners, bridges that trigger pipelines, external statuses."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, SmallInteger, String, Table, Text

from ingot.identity.departures import GOES_TO_GHOST
from ingot.kit.db import Id, Json, UtcDateTime, metadata

# Called `ci_jobs` because `jobs` are the background work of the kit.
ci_jobs = Table(
    "ci_jobs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", String(8), nullable=False),  # build | bridge | external
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("pipeline_id", Id, ForeignKey("pipelines.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Id, nullable=True, info=GOES_TO_GHOST),
    Column("name", String(255), nullable=False),
    Column("stage", String(255), nullable=False),
    Column("stage_index", SmallInteger, nullable=False),
    Column("ref", String(1024), nullable=False),
    Column("is_tag", Boolean, nullable=False, server_default="0"),
    Column("is_protected", Boolean, nullable=False, server_default="0"),
    Column("status", String(32), nullable=False),
    Column("failure_reason", String(64), nullable=True),
    Column("exit_code", Integer, nullable=True),
    Column("when", String(16), nullable=False, server_default="on_success"),
    Column("allow_failure", Boolean, nullable=False, server_default="0"),
    Column("interruptible", Boolean, nullable=False, server_default="0"),
    # None: waits for the earlier stages. Else [{"name", "artifacts", "optional"}].
    Column("needs", Json, nullable=True),
    Column("is_retried", Boolean, nullable=False, server_default="0"),  # a newer attempt of the name exists
    Column("attempt", SmallInteger, nullable=False, server_default="0"),  # automatic retries before this one
    Column("scheduled_at", UtcDateTime, nullable=True),  # when a delayed job starts
    Column("timeout", Integer, nullable=True),  # seconds, the smaller of job's, project's and runner's
    Column("tag_list", Json, nullable=False),  # runner tags, sorted
    Column("has_environment", Boolean, nullable=False, server_default="0"),
    Column("resource_group_id", Id, ForeignKey("resource_groups.id", ondelete="SET NULL"), nullable=True),
    # Runner side.
    Column("token_digest", String(64), nullable=True, unique=True),  # good while running or canceling
    Column("runner_id", Id, nullable=True),
    Column("runner_manager_id", Id, nullable=True),
    Column("cancels_gracefully", Boolean, nullable=False, server_default="0"),  # what its runner announced
    Column("debug_trace", Boolean, nullable=False, server_default="0"),
    Column("contacted_at", UtcDateTime, nullable=True),  # last trace or update of the runner
    Column("coverage", Float, nullable=True),
    Column("artifacts_expire_at", UtcDateTime, nullable=True),
    Column("erased_at", UtcDateTime, nullable=True),
    Column("erased_by_id", Id, nullable=True, info=GOES_TO_GHOST),
    # Bridges.
    Column("downstream_id", Id, nullable=True, index=True),
    # External statuses.
    Column("target_url", Text, nullable=True),
    Column("description", Text, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("queued_at", UtcDateTime, nullable=True),
    Column("started_at", UtcDateTime, nullable=True),
    Column("finished_at", UtcDateTime, nullable=True),
    Column("updated_at", UtcDateTime, nullable=False),
    # Last, because lists never read them.
    Column("own_variables", Text, nullable=True),  # sealed JSON [{"key", "value"}] given when the job was played
    Column("dotenv", Json, nullable=True),  # {name: value} of the job's dotenv report
    Column("environment_url", Text, nullable=True),  # with all that was known when a runner took the job
    Column("plan", Json, nullable=True),  # config.PlannedJob
    sqlite_autoincrement=True,
)
Index("ix_ci_jobs_project_id_id", ci_jobs.c.project_id, ci_jobs.c.id)
Index("ix_ci_jobs_pipeline", ci_jobs.c.pipeline_id, ci_jobs.c.is_retried, ci_jobs.c.id)
Index("ix_ci_jobs_queue", ci_jobs.c.status, ci_jobs.c.kind, ci_jobs.c.id)
Index("ix_ci_jobs_runner", ci_jobs.c.runner_id, ci_jobs.c.id)
Index("ix_ci_jobs_resource", ci_jobs.c.resource_group_id, ci_jobs.c.status)
Index("ix_ci_jobs_scheduled", ci_jobs.c.scheduled_at)

# The runner tags of builds, one row each: a runner's queue is one statement.
job_tags = Table(
    "ci_job_tags",
    metadata,
    Column("job_id", Id, ForeignKey("ci_jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", String(255), primary_key=True),
)
