"""Background work on the database: leased jobs with named steps, retries, takeover and periodic work.

A feature registers a handler with `job` or `periodic`, queues it with `enqueue` in the transaction that writes its row,
and gets a `Run` when a worker calls it.
"""

from ingot.kit.jobs import retention
from ingot.kit.jobs.errors import Cancelled, JobFailed, TimedOut, Transient
from ingot.kit.jobs.measure import list_workers, measure
from ingot.kit.jobs.queue import (
    JobView,
    NotRetryable,
    cancel,
    enqueue,
    find_job,
    find_job_by_id,
    list_jobs,
    list_results,
    list_steps,
    retry,
)
from ingot.kit.jobs.registry import OUTAGE_BACKOFF, OUTAGE_RETRIES, job, periodic
from ingot.kit.jobs.run import Run
from ingot.kit.jobs.worker import JobWorker

__all__ = [
    "OUTAGE_BACKOFF",
    "OUTAGE_RETRIES",
    "Cancelled",
    "JobFailed",
    "JobView",
    "JobWorker",
    "NotRetryable",
    "Run",
    "TimedOut",
    "Transient",
    "cancel",
    "enqueue",
    "find_job",
    "find_job_by_id",
    "job",
    "list_jobs",
    "list_results",
    "list_steps",
    "list_workers",
    "measure",
    "periodic",
    "retention",
    "retry",
]
