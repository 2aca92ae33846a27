"""Endpoints with figures of background work, for administrators."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.instance.sidekiq_metrics.entities import (
    CompoundMetrics,
    JobMetrics,
    JobStats,
    Process,
    ProcessMetrics,
    Queue,
    QueueMetrics,
    Queues,
)
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire
from ingot.kit.jobs import list_workers, measure

routes = Routes("Sidekiq metrics", guard=ADMINISTRATOR)


def _queues(call: Call) -> Queues:
    figures = measure(call.conn)
    return Queues(default=Queue(backlog=sum(figures.queued.values()), latency=int(figures.oldest_due_seconds)))


def _processes(call: Call) -> list[Process]:
    return [
        Process(
            hostname=worker.host,
            pid=worker.pid,
            tag="ingot",
            started_at=wire(worker.started_at),
            queues=["default"],
            labels=[],
            concurrency=call.services.settings.worker_threads,
            busy=worker.busy,
        )
        for worker in list_workers(call.conn)
    ]


def _stats(call: Call) -> JobStats:
    """Sidekiq counts each attempt; a job is dead when no attempt is left."""
    figures = measure(call.conn)
    dead, again = figures.total("failed"), figures.total("retry")
    return JobStats(
        processed=figures.total("done") + dead + again,
        failed=dead + again,
        enqueued=sum(figures.queued.values()),
        dead=dead,
    )


@routes.get("/sidekiq/queue_metrics", returns=QueueMetrics)
def get_queue_metrics(call: Call) -> Answer:
    """How many background jobs wait, and for how many seconds the oldest has been due."""
    return QueueMetrics(queues=_queues(call))


@routes.get("/sidekiq/process_metrics", returns=ProcessMetrics)
def get_process_metrics(call: Call) -> Answer:
    """The processes that run background jobs."""
    return ProcessMetrics(processes=_processes(call))


@routes.get("/sidekiq/job_stats", returns=JobMetrics)
def get_job_stats(call: Call) -> Answer:
    """How many background jobs ran, failed and wait."""
    return JobMetrics(jobs=_stats(call))


@routes.get("/sidekiq/compound_metrics", returns=CompoundMetrics)
def get_compound_metrics(call: Call) -> Answer:
    """Queues, processes and jobs of background work together."""
    return CompoundMetrics(queues=_queues(call), processes=_processes(call), jobs=_stats(call))
