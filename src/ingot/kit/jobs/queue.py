"""Queueing work, looking at it, cancelling it and trying it again: always inside the caller's transaction."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any
from uuid import uuid4

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, delete, func, select, text, update
from sqlalchemy.exc import IntegrityError

from ingot.kit.clock import now
from ingot.kit.jobs import wakeup
from ingot.kit.jobs.counting import count, sql_now
from ingot.kit.jobs.registry import get_kind
from ingot.kit.jobs.tables import CANCELLED, FAILED, QUEUED, RUNNING, jobs, progress, steps
from ingot.kit.upsert import upsert


class JobView(msgspec.Struct, frozen=True):
    """A job as the command line and the API show it."""

    id: int
    kind: str
    key: str
    subject: str | None
    state: str
    attempts: int
    takeovers: int
    worker: str | None
    error: str | None
    run_after: datetime
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    counters: Mapping[str, Any]


class NotRetryable(Exception):
    """Only a failed or cancelled job whose key is not queued again can be tried again."""


def enqueue(
    tx: Connection,
    kind: str,
    *,
    args: Mapping[str, object] | None = None,
    key: str | None = None,
    subject: str | None = None,
    run_after: datetime | None = None,
    rerun: bool = False,
) -> int:
    """Queue work in the caller's transaction and return its id.

    While a job with this key has not ended, that one is returned instead. With `rerun`, one that is already running
    does not count, and the new one waits for it to end: for work such as "refresh", whose request must not be lost to
    a run that has read old data.
    """
    get_kind(kind)
    key = key or f"{kind}-{uuid4().hex}"
    if run_after is None:
        wakeup.announce(tx)
    while True:
        if not rerun and (running := _find_running(tx, key)) is not None:
            return running
        created = _insert(tx, kind, key, args, subject, run_after)
        if created is None:
            # One is waiting: held back until this transaction ends, so that its run will see what was written here.
            if (known := tx.execute(_HOLD_WAITING, {"job_key": key}).scalar_one_or_none()) is not None:
                return int(known)
        elif not rerun and (running := _find_running(tx, key)) is not None:
            # It was claimed in the meantime.
            tx.execute(delete(jobs).where(jobs.c.id == created))
            return running
        else:
            return created


def _insert(
    tx: Connection,
    kind: str,
    key: str,
    args: Mapping[str, object] | None,
    subject: str | None,
    run_after: datetime | None,
) -> int | None:
    values: dict[str, Any] = {"kind": kind, "key": key, "subject": subject, "args": dict(args or {})}
    if run_after is not None:
        values["run_after"] = run_after
    if tx.dialect.name == "sqlite":
        moment = now()
        values = {"created_at": moment, "run_after": moment, **values}
    return tx.execute(_insertion(tx.dialect.name, run_after is None), values).scalar_one_or_none()


@cache
def _insertion(dialect: str, at_once: bool) -> Any:
    """Insert a job unless one with its key is waiting already. On PostgreSQL the server's clock sets the time."""
    statement = upsert(dialect, jobs)
    if dialect != "sqlite":
        moment = func.clock_timestamp()
        statement = statement.values(created_at=moment, **({"run_after": moment} if at_once else {}))
    waits = text("state = 'queued'")
    return statement.on_conflict_do_nothing(index_elements=["key"], index_where=waits).returning(jobs.c.id)


_HOLD_WAITING = (
    update(jobs)
    .where(jobs.c.key == bindparam("job_key"), jobs.c.state == QUEUED)
    .values(key=bindparam("job_key"))
    .returning(jobs.c.id)
)
_RUNNING = select(jobs.c.id).where(jobs.c.key == bindparam("job_key"), jobs.c.state == RUNNING)


def _find_running(tx: Connection, key: str) -> int | None:
    return tx.execute(_RUNNING, {"job_key": key}).scalar_one_or_none()


def cancel(tx: Connection, *, subject: str | None = None, key: str | None = None, job_id: int | None = None) -> int:
    """Cancel the open jobs of a subject, a key or an id; a running one can write nothing after this commit."""
    conditions: list[ColumnElement[bool]] = []
    if subject is not None:
        conditions.append(jobs.c.subject == subject)
    if key is not None:
        conditions.append(jobs.c.key == key)
    if job_id is not None:
        conditions.append(jobs.c.id == job_id)
    if not conditions:
        raise ValueError("Cancelling needs a subject, a key or an id.")
    ended = tx.execute(
        update(jobs)
        .where(*conditions, jobs.c.ended_at.is_(None))
        .values(state=CANCELLED, ended_at=sql_now(tx), token=jobs.c.token + 1)
        .returning(jobs.c.kind)
    ).all()
    for row in ended:
        count(tx, row.kind, CANCELLED)
    return len(ended)


def retry(tx: Connection, job_id: int) -> None:
    """Queue a failed or cancelled job again; recorded steps are kept."""
    fresh = {"state": QUEUED, "run_after": sql_now(tx), "ended_at": None, "error": None, "worker": None}
    statement = update(jobs).where(jobs.c.id == job_id, jobs.c.state.in_([FAILED, CANCELLED]))
    key = tx.execute(select(jobs.c.key).where(jobs.c.id == job_id)).scalar_one_or_none()
    if key is not None and _find_running(tx, key) is not None:
        raise NotRetryable(f"Job {job_id} is already queued again.")
    try:
        with tx.begin_nested():
            moved = tx.execute(statement.values(**fresh, attempts=0, faults=0, takeovers=0, token=jobs.c.token + 1))
    except IntegrityError:
        raise NotRetryable(f"Job {job_id} is already queued again.") from None
    if moved.rowcount != 1:
        raise NotRetryable(f"Job {job_id} does not exist, or it is not failed or cancelled.")
    wakeup.announce(tx)


def forget(tx: Connection, job_ids: list[int]) -> None:
    """Delete ended jobs; their steps and counters go with them."""
    tx.execute(delete(jobs).where(jobs.c.id.in_(job_ids)))


def list_jobs(
    tx: Connection, *, state: str | None = None, kind: str | None = None, subject: str | None = None, limit: int = 100
) -> list[JobView]:
    """Jobs, newest first."""
    statement = _views().order_by(jobs.c.id.desc()).limit(limit)
    for column, value in ((jobs.c.state, state), (jobs.c.kind, kind), (jobs.c.subject, subject)):
        if value is not None:
            statement = statement.where(column == value)
    return [_view(row) for row in tx.execute(statement)]


def find_job(tx: Connection, key: str) -> JobView | None:
    """The running job with this key, else the newest, with its counters."""
    order = ((jobs.c.state == RUNNING).desc(), jobs.c.id.desc())
    row = tx.execute(_views().where(jobs.c.key == key).order_by(*order).limit(1)).one_or_none()
    return None if row is None else _view(row)


def find_job_by_id(tx: Connection, job_id: int) -> JobView | None:
    """The job with this number."""
    row = tx.execute(_views().where(jobs.c.id == job_id)).one_or_none()
    return None if row is None else _view(row)


def list_steps(tx: Connection, job_id: int) -> list[tuple[str, datetime]]:
    """The steps that a job has recorded, in their order, with their times."""
    query = select(steps.c.name, steps.c.recorded_at).where(steps.c.job_id == job_id)
    return [(row.name, row.recorded_at) for row in tx.execute(query.order_by(steps.c.recorded_at, steps.c.name))]


def list_results(tx: Connection, job_id: int) -> dict[str, Any]:
    """What the recorded steps of a job gave, by their names."""
    query = select(steps.c.name, steps.c.result).where(steps.c.job_id == job_id)
    return {row.name: row.result for row in tx.execute(query)}


def _views() -> Select[Any]:
    return select(jobs, progress.c.counters).select_from(jobs.outerjoin(progress, progress.c.job_id == jobs.c.id))


def _view(row: Row[Any]) -> JobView:
    names = (name for name in JobView.__struct_fields__ if name != "counters")
    return JobView(**{name: getattr(row, name) for name in names}, counters=row.counters or {})
