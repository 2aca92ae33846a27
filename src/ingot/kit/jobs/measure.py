"""Figures of the engine for monitoring: depth and age of the queue, failures, takeovers, live workers."""

from datetime import datetime

import msgspec
from sqlalchemy import Connection, func, select

from ingot.kit.jobs.counting import MILLISECONDS, database_now
from ingot.kit.jobs.tables import QUEUED, RUNNING, counters, jobs, workers


class Measures(msgspec.Struct, frozen=True):
    """The state of the engine right now."""

    queued: dict[str, int] = msgspec.field(default_factory=dict)
    running: dict[str, int] = msgspec.field(default_factory=dict)
    oldest_due_seconds: float = 0.0
    workers: int = 0
    events: dict[tuple[str, str], int] = msgspec.field(default_factory=dict)
    seconds: dict[str, float] = msgspec.field(default_factory=dict)  # of all attempts, by kind

    def total(self, event: str) -> int:
        """How often the event happened over all kinds: done, failed, cancelled, retry, takeover, interrupted."""
        return sum(number for (_, name), number in self.events.items() if name == event)

    def lines(self) -> list[str]:
        """The figures in Prometheus' text form."""
        result = ["# TYPE ingot_jobs_queued gauge"]
        result += [f'ingot_jobs_queued{{kind="{kind}"}} {number}' for kind, number in sorted(self.queued.items())]
        result.append("# TYPE ingot_jobs_running gauge")
        result += [f'ingot_jobs_running{{kind="{kind}"}} {number}' for kind, number in sorted(self.running.items())]
        result.append("# TYPE ingot_jobs_oldest_due_seconds gauge")
        result.append(f"ingot_jobs_oldest_due_seconds {self.oldest_due_seconds:.3f}")
        result.append("# TYPE ingot_workers gauge")
        result.append(f"ingot_workers {self.workers}")
        result.append("# TYPE ingot_jobs_total counter")
        result += [
            f'ingot_jobs_total{{kind="{kind}",event="{event}"}} {number}'
            for (kind, event), number in sorted(self.events.items())
        ]
        result.append("# TYPE ingot_job_seconds_total counter")
        result += [
            f'ingot_job_seconds_total{{kind="{kind}"}} {spent:.3f}' for kind, spent in sorted(self.seconds.items())
        ]
        return result


def measure(tx: Connection) -> Measures:
    """Four small queries; the cost does not grow with the history."""
    moment = database_now(tx)
    depth = select(jobs.c.kind, jobs.c.state, func.count().label("number"))
    depth = depth.where(jobs.c.ended_at.is_(None)).group_by(jobs.c.kind, jobs.c.state)
    queued: dict[str, int] = {}
    running: dict[str, int] = {}
    for row in tx.execute(depth):
        (queued if row.state == QUEUED else running)[row.kind] = row.number
    oldest = tx.execute(
        select(func.min(jobs.c.run_after)).where(jobs.c.state == QUEUED, jobs.c.run_after <= moment)
    ).scalar()
    counted = tx.execute(select(counters)).all()
    return Measures(
        queued=queued,
        running=running,
        oldest_due_seconds=0.0 if oldest is None else max(0.0, (moment - oldest).total_seconds()),
        workers=tx.execute(select(func.count()).select_from(workers)).scalar_one(),
        events={(row.kind, row.event): row.number for row in counted if row.event != MILLISECONDS},
        seconds={row.kind: row.number / 1000 for row in counted if row.event == MILLISECONDS},
    )


class WorkerView(msgspec.Struct, frozen=True):
    """A worker and how many jobs it runs."""

    host: str
    pid: int
    started_at: datetime
    busy: int


def list_workers(conn: Connection) -> list[WorkerView]:
    """The live workers, oldest first."""
    busy = select(func.count()).where(jobs.c.worker == workers.c.id, jobs.c.state == RUNNING).scalar_subquery()
    query = select(workers.c.host, workers.c.pid, workers.c.started_at, busy.label("busy"))
    rows = conn.execute(query.order_by(workers.c.started_at, workers.c.id))
    return [WorkerView(row.host, row.pid, row.started_at, row.busy) for row in rows]
