"""Heartbeats of workers, and the takeover of a dead worker's jobs: once, by whichever live worker sees it first."""

import logging
import os
import socket
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Select, delete, select, update

from ingot.kit.jobs.counting import TAKEOVER, count, database_now
from ingot.kit.jobs.ownership import queue_again
from ingot.kit.jobs.registry import exponential, find_kind
from ingot.kit.jobs.tables import FAILED, RUNNING, jobs, workers

log = logging.getLogger(__name__)

# A job that crashes its worker each time must not crash every worker, again and again. But it need not be to blame:
# workers are killed for other reasons, and fall silent with their database.
MAX_TAKEOVERS = 20
_pause = exponential(1.0, limit=60.0)
WORN_OUT = "The job was interrupted too often. Every worker that ran it stopped unexpectedly."


def register(tx: Connection) -> str:
    """Register this worker under a new name. Names are never reused, so late writes of a dead worker match nothing."""
    host = socket.gethostname()[:200]
    worker = f"{host[:30]}-{os.getpid()}-{uuid4().hex[:8]}"
    moment = database_now(tx)
    tx.execute(workers.insert().values(id=worker, host=host, pid=os.getpid(), started_at=moment, beat_at=moment))
    return worker


def beat(tx: Connection, worker: str) -> bool:
    """Record a heartbeat. False: this worker was declared dead and its jobs were given to others."""
    statement = update(workers).where(workers.c.id == worker).values(beat_at=database_now(tx))
    return tx.execute(statement).rowcount == 1


def unregister(tx: Connection, worker: str) -> None:
    """Leave at once: whatever the worker still held is queued again without waiting for the limit."""
    tx.execute(delete(workers).where(workers.c.id == worker))
    _give_back(tx, worker)


def find_dead(tx: Connection, limit: float) -> list[str]:
    """Workers whose last sign of life is older than `limit` seconds."""
    late = database_now(tx) - timedelta(seconds=limit)
    return list(tx.execute(select(workers.c.id).where(workers.c.beat_at < late)).scalars())


def take_over(tx: Connection, worker: str, limit: float) -> int:
    """Declare a late worker dead and queue its jobs again. Returns how many were taken over, each counted once.

    Of several live workers the one that locks the dead one's row does it. A job whose row is locked by a transaction of
    the dead worker (it may be paused, not gone) is left for the next look, and the worker's row with it.
    """
    late = database_now(tx) - timedelta(seconds=limit)
    dead = select(workers.c.id).where(workers.c.id == worker, workers.c.beat_at < late)
    if tx.execute(_skipping_locked(tx, dead)).first() is None:
        return 0
    taken = _give_back(tx, worker, counted=True)
    if tx.execute(select(jobs.c.id).where(*_booked_on(worker)).limit(1)).first() is None:
        tx.execute(delete(workers).where(workers.c.id == worker))
    return taken


def reconcile(tx: Connection, worker: str, running: Collection[int]) -> int:
    """Queue again what is booked on this live worker but does not run in it: claims whose answer was lost."""
    return _give_back(tx, worker, besides=running)


def _booked_on(worker: str) -> tuple[ColumnElement[bool], ...]:
    return (jobs.c.worker == worker, jobs.c.state == RUNNING)


def _skipping_locked(tx: Connection, statement: Select[Any]) -> Select[Any]:
    return statement.with_for_update(skip_locked=True) if tx.dialect.name == "postgresql" else statement


def _give_back(tx: Connection, worker: str, *, besides: Collection[int] = (), counted: bool = False) -> int:
    booked = select(jobs.c.id).where(*_booked_on(worker), jobs.c.id.not_in(besides))
    ids = list(tx.execute(_skipping_locked(tx, booked)).scalars())
    if not ids:
        return 0
    counted_as = jobs.c.takeovers + (1 if counted else 0)
    moved = queue_again(tx, ids, run_after=database_now(tx), takeovers=counted_as)
    for row in moved:
        if counted:
            count(tx, row.kind, TAKEOVER)
        if row.takeovers > MAX_TAKEOVERS:
            _fail_exhausted(tx, row.id, row.kind, row.args)
        elif counted and row.takeovers > 1:
            run_after = database_now(tx) + timedelta(seconds=_pause(row.takeovers - 1))
            tx.execute(update(jobs).where(jobs.c.id == row.id).values(run_after=run_after))
    return len(moved)


def _fail_exhausted(tx: Connection, job_id: int, kind_name: str, args: dict[str, object]) -> None:
    kind = find_kind(kind_name)
    if kind is not None and kind.failed is not None:
        try:
            with tx.begin_nested():
                kind.failed(tx, args, WORN_OUT)
        except Exception:
            # A failing hook must not keep the other jobs of the dead worker from being taken over.
            log.exception("The failure hook of job %s raised an error.", job_id)
    count(tx, kind_name, FAILED)
    ended = {"state": FAILED, "error": WORN_OUT, "ended_at": database_now(tx)}
    tx.execute(update(jobs).where(jobs.c.id == job_id).values(**ended))
