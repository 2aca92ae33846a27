"""Who owns a running job. A claim takes the job's fencing token; every later write for the job must still hold it.

The check locks the job's row in the same transaction as the write, so a takeover or a cancellation comes before it or
after it, never between.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, Update, bindparam, delete, exists, func, select, update
from sqlalchemy.exc import IntegrityError

from ingot.kit.clock import now
from ingot.kit.jobs.counting import INTERRUPTED, RETRY, count, database_now, sql_now
from ingot.kit.jobs.errors import Cancelled, Interruption, LeaseLost, Transient
from ingot.kit.jobs.registry import Kind, periodic_kinds
from ingot.kit.jobs.tables import CANCELLED, DONE, FAILED, QUEUED, RUNNING, jobs, steps

TWIN_ATTEMPTS = 10


class Claim(msgspec.Struct, frozen=True):
    """The right to run one job, valid as long as its token is the job's."""

    job_id: int
    token: int
    kind: str
    key: str
    args: Mapping[str, Any]
    faults: int
    takeovers: int


# The queue was empty when statistics were last taken, and when the driver prepared the statements: the planner would
# fetch and sort a burst of thousands at each claim, and compare each with all. Without those ways it reads the index in
# order and stops at the limit. For this transaction only.
_IN_ORDER = select(
    *(func.set_config(f"enable_{way}", "off", True) for way in ("bitmapscan", "seqscan", "sort")),
    func.set_config("plan_cache_mode", "force_custom_plan", True),
)


def claim(tx: Connection, worker: str, kinds: Collection[str], limit: int) -> list[Claim]:
    """Take up to `limit` due jobs, oldest first; two workers never get the same one."""
    moment = sql_now(tx)
    if tx.dialect.name == "postgresql":
        tx.execute(_IN_ORDER)
    ids = list(_due_ids(tx, kinds, limit))
    if not ids:
        return []
    taken = tx.execute(
        update(jobs)
        .where(jobs.c.id.in_(ids), jobs.c.state == QUEUED)
        .values(
            state=RUNNING,
            worker=worker,
            token=jobs.c.token + 1,
            attempts=jobs.c.attempts + 1,
            started_at=moment,
            error=None,
        )
        .returning(jobs)
    )
    claims = [Claim(row.id, row.token, row.kind, row.key, row.args, row.faults, row.takeovers) for row in taken]
    return sorted(claims, key=lambda one: ids.index(one.job_id))


def has_due(tx: Connection, kinds: Collection[str]) -> bool:
    """Whether a claim would find something; a read, so that idle polling never takes a write lock."""
    return any(True for _ in _due_ids(tx, kinds, 1))


def _due_ids(tx: Connection, kinds: Collection[str], limit: int) -> Iterable[int]:
    if tx.dialect.name == "postgresql":
        return tx.execute(_due_on_postgres(), {"kinds": list(kinds), "most": limit}).scalars()
    return tx.execute(_due_on_sqlite(), {"kinds": list(kinds), "most": limit, "moment": now()}).scalars()


# A worker asks several times a second, also while there is nothing to do: both are built once.
@cache
def _due_on_postgres() -> Select[int]:
    """Due jobs, oldest first. One per key at a time: a repeated request waits for a run that may have read old data."""
    other = jobs.alias("other")
    # Read once for a claim: a look-up for each job would pass all that ended since the index was last cleaned.
    is_free = jobs.c.key.not_in(select(other.c.key).where(other.c.state == RUNNING))
    return _due(func.clock_timestamp(), is_free).with_for_update(skip_locked=True)


@cache
def _due_on_sqlite() -> Select[int]:
    """As `_due_on_postgres`, by the clock of this process."""
    other = jobs.alias("other")
    return _due(bindparam("moment"), ~exists().where(other.c.key == jobs.c.key, other.c.state == RUNNING))


def _due(moment: ColumnElement[datetime], is_free: ColumnElement[bool]) -> Select[int]:
    is_known = jobs.c.kind.in_(bindparam("kinds", expanding=True))
    due = select(jobs.c.id).where(jobs.c.state == QUEUED, jobs.c.run_after <= moment, is_known, is_free)
    return due.order_by(jobs.c.run_after, jobs.c.id).limit(bindparam("most"))


def fence(tx: Connection, claimed_job: Claim) -> None:
    """Raise unless the job is still ours; keeps it ours until this transaction ends."""
    statement = select(jobs.c.token, jobs.c.state).where(jobs.c.id == claimed_job.job_id)
    row = tx.execute(_locked(tx, statement)).one_or_none()
    if row is None or row.state == CANCELLED:
        raise Cancelled(f"{claimed_job.key} was cancelled.")
    if row.token != claimed_job.token or row.state != RUNNING:
        raise LeaseLost(f"{claimed_job.key} is no longer run here.")


def record_step(tx: Connection, claimed_job: Claim, name: str, result: object) -> None:
    """Note a finished step with its result; the caller has fenced this transaction."""
    tx.execute(steps.insert().values(job_id=claimed_job.job_id, name=name, result=result, recorded_at=sql_now(tx)))
    if claimed_job.takeovers > 1:
        # A job that gets on is not what stops its workers, however many it loses.
        tx.execute(update(jobs).where(jobs.c.id == claimed_job.job_id).values(takeovers=1))


def recorded_steps(tx: Connection, claimed_job: Claim) -> dict[str, Any]:
    """Results of the steps that earlier attempts finished."""
    rows = tx.execute(select(steps.c.name, steps.c.result).where(steps.c.job_id == claimed_job.job_id))
    return {row.name: row.result for row in rows}


def finish(tx: Connection, claims: Sequence[Claim]) -> list[Claim]:
    """End the jobs as done; returns the claims that no longer hold, whose jobs are left alone."""
    statement = select(jobs.c.id, jobs.c.token).where(
        jobs.c.id.in_([claimed_job.job_id for claimed_job in claims]), jobs.c.state == RUNNING
    )
    # In the order of the ids: two workers that end each other's jobs must not deadlock.
    rows = tx.execute(_locked(tx, statement.order_by(jobs.c.id))).all()
    tokens = {row.id: row.token for row in rows}
    ended = [claimed_job for claimed_job in claims if tokens.get(claimed_job.job_id) == claimed_job.token]
    for kind, number in Counter(claimed_job.kind for claimed_job in ended).items():
        count(tx, kind, DONE, number)
    # Successful periodic jobs are not kept: there would be a row per minute and kind.
    periodic = {kind.name for kind in periodic_kinds()}
    if forgotten := [claimed_job.job_id for claimed_job in ended if claimed_job.kind in periodic]:
        tx.execute(delete(jobs).where(jobs.c.id.in_(forgotten)))
    if remaining := [claimed_job.job_id for claimed_job in ended if claimed_job.kind not in periodic]:
        values = {"state": DONE, "worker": None, "token": jobs.c.token + 1, "ended_at": sql_now(tx)}
        tx.execute(update(jobs).where(jobs.c.id.in_(remaining)).values(**values))
    return [claimed_job for claimed_job in claims if tokens.get(claimed_job.job_id) != claimed_job.token]


def fail(tx: Connection, claimed_job: Claim, kind: Kind | None, sentence: str) -> None:
    """End the job as failed; its failure hook runs in the same transaction."""
    fence(tx, claimed_job)
    count(tx, claimed_job.kind, FAILED)
    if kind is not None and kind.failed is not None:
        kind.failed(tx, claimed_job.args, sentence)
    _end_turn(tx, claimed_job, {"state": FAILED, "error": sentence, "ended_at": sql_now(tx)})


def postpone(tx: Connection, claimed_job: Claim, seconds: float, reason: str) -> None:
    """Queue the job again after a transient fault, which counts against its limit."""
    fence(tx, claimed_job)
    count(tx, claimed_job.kind, RETRY)
    queue_again(tx, [claimed_job.job_id], error=reason, faults=jobs.c.faults + 1, run_after=_later(tx, seconds))


def release(tx: Connection, claimed_job: Claim) -> bool:
    """Release the job unfinished, without counting the attempt. False when it no longer belonged to this worker."""
    try:
        fence(tx, claimed_job)
    except Interruption:
        return False
    queue_again(tx, [claimed_job.job_id], run_after=sql_now(tx))
    count(tx, claimed_job.kind, INTERRUPTED)
    return True


def hand_back(tx: Connection, claims: Sequence[Claim]) -> None:
    """Queue jobs again that were claimed and never begun, as if they had not been claimed."""
    for claimed_job in claims:
        with suppress(Interruption):
            fence(tx, claimed_job)
            queue_again(tx, [claimed_job.job_id], attempts=jobs.c.attempts - 1)


def queue_again(tx: Connection, job_ids: Collection[int], **values: object) -> list[Row[Any]]:
    """Turn running jobs, which the caller has locked, into waiting ones; returns their rows.

    A waiting job of the same key asks for the same work and is deleted: only one may wait.
    """
    keys = list(tx.execute(select(jobs.c.key).where(jobs.c.id.in_(job_ids))).scalars())
    duplicates = delete(jobs).where(jobs.c.key.in_(keys), jobs.c.state == QUEUED, jobs.c.id.not_in(job_ids))
    queued = update(jobs).where(jobs.c.id.in_(job_ids)).returning(jobs)
    queued = queued.values(state=QUEUED, worker=None, token=jobs.c.token + 1, **values)
    for _ in range(TWIN_ATTEMPTS):
        tx.execute(duplicates)
        try:
            with tx.begin_nested():
                return list(tx.execute(queued).all())
        except IntegrityError:
            # A duplicate was committed between the two statements; now it is visible.
            continue
    raise Transient("The same work is asked for again and again.")


def _locked(tx: Connection, statement: Select[Any]) -> Select[Any]:
    # On SQLite the write transaction is the lock.
    return statement.with_for_update(key_share=True) if tx.dialect.name == "postgresql" else statement


def _later(tx: Connection, seconds: float) -> datetime:
    return database_now(tx) + timedelta(seconds=seconds)


def _owned(claimed_job: Claim) -> Update:
    return update(jobs).where(
        jobs.c.id == claimed_job.job_id, jobs.c.token == claimed_job.token, jobs.c.state == RUNNING
    )


def _end_turn(tx: Connection, claimed_job: Claim, values: Mapping[str, object]) -> None:
    tx.execute(_owned(claimed_job).values(worker=None, token=jobs.c.token + 1, **values))
