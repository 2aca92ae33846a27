"""The tables of background work: jobs, their recorded steps, the workers that run them, and what is counted."""

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, String, Table, Text, text

from ingot.kit.db import Id, Json, UtcDateTime, metadata
from ingot.kit.indexes import PartialIndex

QUEUED, RUNNING = "queued", "running"
DONE, FAILED, CANCELLED = "done", "failed", "cancelled"
STATES = (QUEUED, RUNNING, DONE, FAILED, CANCELLED)

jobs = Table(
    "background_jobs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", String(100), nullable=False),
    Column("key", String(255), nullable=False),
    Column("subject", String(255)),
    Column("args", Json, nullable=False),
    Column("state", String(20), nullable=False, server_default=QUEUED),
    Column("run_after", UtcDateTime, nullable=False),
    # The fencing token: every claim, takeover and cancellation moves it, so a late executor's number never fits.
    Column("token", BigInteger, nullable=False, server_default="0"),
    Column("worker", String(64)),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("faults", Integer, nullable=False, server_default="0"),
    Column("takeovers", Integer, nullable=False, server_default="0"),
    Column("error", Text),
    Column("created_at", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime),
    Column("ended_at", UtcDateTime),
)
_WAITING, _OPEN, _HELD = text("state = 'queued'"), text("ended_at IS NULL"), text("state = 'running'")
PartialIndex("ix_background_jobs_due", jobs.c.run_after, jobs.c.id, where=_WAITING)
# One may wait while another of the same key runs: work asked for again must not be lost to a run that read old data.
PartialIndex("uq_background_jobs_waiting_key", jobs.c.key, unique=True, where=_WAITING)
PartialIndex("ix_background_jobs_subject", jobs.c.subject, where=_OPEN)
PartialIndex("ix_background_jobs_worker", jobs.c.worker, where=_HELD)
Index("ix_background_jobs_key", jobs.c.key, jobs.c.id)
Index("ix_background_jobs_ended", jobs.c.ended_at)

steps = Table(
    "background_job_steps",
    metadata,
    Column("job_id", Id, ForeignKey("background_jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("result", Json),
    Column("recorded_at", UtcDateTime, nullable=False),
)

# Apart from the job's row: counters are written while a handler's own transaction may hold that row.
progress = Table(
    "background_job_progress",
    metadata,
    Column("job_id", Id, ForeignKey("background_jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("counters", Json, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

workers = Table(
    "background_workers",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("host", String(255), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("beat_at", UtcDateTime, nullable=False),
)

schedules = Table(
    "background_schedules",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("every", Float, nullable=False),
    Column("next_at", UtcDateTime, nullable=False),
)

counters = Table(
    "background_counters",
    metadata,
    Column("kind", String(100), primary_key=True),
    Column("event", String(20), primary_key=True),
    Column("number", BigInteger, nullable=False),
)
