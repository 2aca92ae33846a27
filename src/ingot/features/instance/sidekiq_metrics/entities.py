"""Figures of background work on the wire; Sidekiq's names for them."""

from datetime import datetime

from ingot.kit.entity import Entity


class Queue(Entity):
    """What waits."""

    backlog: int
    latency: int


class Queues(Entity):
    """All jobs wait in one queue."""

    default: Queue


class Process(Entity):
    """A worker."""

    hostname: str
    pid: int
    tag: str
    started_at: datetime
    queues: list[str]
    labels: list[str]
    concurrency: int
    busy: int


class JobStats(Entity):
    """How many jobs ran, and how they ended."""

    processed: int
    failed: int
    enqueued: int
    dead: int


class QueueMetrics(Entity):
    """The queues."""

    queues: Queues


class ProcessMetrics(Entity):
    """The workers."""

    processes: list[Process]


class JobMetrics(Entity):
    """The jobs."""

    jobs: JobStats


class CompoundMetrics(Entity):
    """Queues, workers and jobs."""

    queues: Queues
    processes: list[Process]
    jobs: JobStats
