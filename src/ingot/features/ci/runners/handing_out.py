"""Assigning a job to a runner: exactly once, however many runners ask at the same time."""

import logging

import msgspec
from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.ci.engine import (
    OUTDATED,
    JobRow,
    advance,
    finish_job,
    fresh_job_token,
    get_job,
    get_plan,
    is_outdated,
    lock_pipeline,
    move,
    why_refused,
)
from ingot.features.ci.runners.assignment import describe_job
from ingot.features.ci.runners.dependencies import MissingDependency
from ingot.features.ci.runners.job_payload import required_features
from ingot.features.ci.runners.matching import candidates
from ingot.features.ci.runners.params import RequestJob
from ingot.features.ci.runners.response import JobResponse
from ingot.features.ci.runners.rows import CandidateRow, RunnerRow
from ingot.features.ci.runners.tables import runner_managers
from ingot.identity.tables import users
from ingot.identity.tokens import digest
from ingot.kit.faults import as_api_error

log = logging.getLogger("ingot.runners")
PASSING = (503, 507)


class HandOut(msgspec.Struct, frozen=True):
    """The job that the runner gets, or why it gets none."""

    job: JobResponse | None = None
    lost: bool = False  # others were faster
    failed: bool = False  # some could not run, and were failed


def hand_out(call: Call[RequestJob], runner: RunnerRow, manager_id: int) -> HandOut:
    """Assign the next job to the runner and start it. Jobs that cannot run are failed."""
    rows = candidates(call.conn, runner, call.params.job_age)
    features = _features(call, manager_id)
    lost = failed = False
    for candidate in rows:
        token = fresh_job_token()
        job = _assign(call, candidate, runner, manager_id, token, "cancel_gracefully" in features)
        if job is None:
            lost = True
            continue
        answer = _describe(call, runner, job, token, features, len(rows))
        if answer is not None:
            return HandOut(answer)
        failed = True
    return HandOut(lost=lost, failed=failed)


def _features(call: Call, manager_id: int) -> set[str]:
    value = call.conn.execute(select(runner_managers.c.features).where(runner_managers.c.id == manager_id)).scalar_one()
    return set(value)


def _assign(
    call: Call, candidate: CandidateRow, runner: RunnerRow, manager_id: int, token: str, graceful: bool
) -> JobRow | None:
    """The job, unless another runner was faster. The pipeline's row is locked: its jobs change one after another."""
    with call.write() as tx:
        lock_pipeline(tx, candidate.pipeline_id)
        job = get_job(tx, candidate.id)
        if job.status != "pending" or job.runner_id is not None:
            return None
        limits = [limit for limit in (job.timeout, runner.maximum_timeout) if limit]
        move(
            tx,
            job,
            "running",
            token_digest=digest(token),
            runner_id=runner.id,
            runner_manager_id=manager_id,
            cancels_gracefully=graceful,
            timeout=min(limits, default=None),
        )
        advance(tx, call.services, candidate.pipeline_id)
    return job


def _describe(
    call: Call, runner: RunnerRow, job: JobRow, token: str, features: set[str], size: int
) -> JobResponse | None:
    """The answer for the runner; a job that must not or cannot run is failed instead."""
    reason: str | None = None
    try:
        plan = get_plan(call.conn, job.id)
        if plan is None:
            reason = "data_integrity_failure"
        elif not required_features(plan, job.ref) <= features:
            reason = "runner_unsupported"
        elif _is_blocked(call, job.user_id):
            reason = "user_blocked"
        elif is_outdated(call.conn, job):
            reason = OUTDATED
        else:
            reason = why_refused(call.conn, job, job.user_id)
        if reason is None and plan is not None:
            return describe_job(call, runner, job, plan, token, size)
    except MissingDependency:
        reason = "missing_dependency_failure"
    except Exception as fault:
        known = as_api_error(fault)
        if known is not None and known.status in PASSING:
            # The database, git or the store was away for a moment, which is not the job's fault.
            log.warning("job %d could not be handed out now", job.id, exc_info=True)
            call.close()
            _give_back(call, job, token)
            return None
        # One broken job must not keep the runner from all others.
        log.exception("job %d could not be handed out", job.id)
        reason = "scheduler_failure"
    with call.write() as tx:
        finish_job(tx, call.services, job.id, "failed", failure_reason=reason)
    return None


def _give_back(call: Call, job: JobRow, token: str) -> None:
    """Offer the job again, unless somebody has changed it meanwhile."""
    with call.write() as tx:
        lock_pipeline(tx, job.pipeline_id)
        current = get_job(tx, job.id)
        if current.status != "running" or current.token_digest != digest(token):
            return
        unassigned = ("token_digest", "runner_id", "runner_manager_id", "started_at", "contacted_at")
        move(tx, current, "pending", queued_at=job.queued_at, timeout=job.timeout, **dict.fromkeys(unassigned))
        advance(tx, call.services, job.pipeline_id)


def _is_blocked(call: Call, user_id: int | None) -> bool:
    if user_id is None:
        return False
    state = call.conn.execute(select(users.c.state).where(users.c.id == user_id)).scalar_one_or_none()
    return state not in ("active", None)
