"""Outputs of jobs: artifacts, logs, and the test results read from their reports."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, LargeBinary, String, Table, Text, select
from sqlalchemy import UniqueConstraint as Unique

from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.db import Id, Json, UtcDateTime, metadata

# Whether an artifact is locked is a fact of its pipeline (`pipelines.is_locked`).
job_artifacts = Table(
    "job_artifacts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("project_id", Id, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("pipeline_id", Id, ForeignKey("pipelines.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("job_id", Id, ForeignKey("ci_jobs.id", ondelete="CASCADE"), nullable=False),
    Column("file_type", String(32), nullable=False),
    Column("file_format", String(8), nullable=True),  # raw | zip | gzip
    Column("filename", String(255), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("blob_key", Text, nullable=False),
    Column("index_key", Text, nullable=True),  # blob with the zip index, for archives
    Column("sha256", String(64), nullable=True),
    Column("accessibility", String(16), nullable=False, server_default="public"),
    Column("expire_at", UtcDateTime, nullable=True),
    Column("created_at", UtcDateTime, nullable=False),
    Unique("job_id", "file_type"),
    sqlite_autoincrement=True,
)
Index("ix_job_artifacts_expire", job_artifacts.c.expire_at)

# A log grows in chunks while the job runs; when it ends the chunks become one blob (`blob_key`).
job_traces = Table(
    "job_traces",
    metadata,
    Column("job_id", Id, ForeignKey("ci_jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("size", BigInteger, nullable=False, server_default="0"),
    Column("crc32", BigInteger, nullable=False, server_default="0"),  # of all bytes so far
    Column("short_since", UtcDateTime, nullable=True),  # its runner sent more than arrived
    Column("blob_key", Text, nullable=True),
    Column("updated_at", UtcDateTime, nullable=False),
)
job_trace_chunks = Table(
    "job_trace_chunks",
    metadata,
    Column("job_id", Id, ForeignKey("ci_jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("start", BigInteger, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

refers_to_blobs("artifacts/", lambda: select(job_artifacts.c.blob_key))
refers_to_blobs("artifacts/", lambda: select(job_artifacts.c.index_key))
refers_to_blobs("traces/", lambda: select(job_traces.c.blob_key))

# The parsed JUnit report of one job, so that a pipeline's report needs no unpacking.
pipeline_test_reports = Table(
    "pipeline_test_reports",
    metadata,
    Column("job_id", Id, ForeignKey("ci_jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("pipeline_id", Id, ForeignKey("pipelines.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("report", Json, nullable=False),  # junit.TestSuite
)
