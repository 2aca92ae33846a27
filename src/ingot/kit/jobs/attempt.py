"""Runs one attempt to its end: done, failed with a message, postponed, or released."""

import logging
import time
from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from ingot.kit.calling_off import may_be_called_off
from ingot.kit.db import Database
from ingot.kit.jobs import ownership
from ingot.kit.jobs.disclosure import account_of
from ingot.kit.jobs.errors import Interruption, is_transient, sentence_of
from ingot.kit.jobs.registry import Kind, find_kind
from ingot.kit.jobs.run import Run
from ingot.kit.tracing import tracing_job

log = logging.getLogger(__name__)

# Writing an outcome is tried this often, with growing pauses (41 s in all), before a takeover must do it.
OUTCOME_ATTEMPTS = 12


def run_handler(database: Database, run: Run, is_abandoned: Callable[[], bool]) -> bool:
    """Call the handler. Never raises.

    Returns True on success, which the caller still has to write; other outcomes are written here.
    """
    claim = run.claim
    kind = find_kind(claim.kind)
    try:
        run.begin()
        if kind is None:
            raise LookupError(f"No background work is registered as {claim.kind!r}.")
        with tracing_job(claim.kind, claim.key), may_be_called_off(run.check_waiting):
            kind.handler(run, **claim.args)
        return True
    except Interruption as reason:
        log.info("%s: %s", claim.key, reason or type(reason).__name__)
        outcome = _release(claim)
    except Exception as fault:  # noqa: BLE001 - whatever a handler raises becomes an outcome
        outcome = _after_fault(claim, kind, fault)
    _write(database, claim, outcome, is_abandoned)
    return False


def write_successes(database: Database, runs: Sequence[Run], is_abandoned: Callable[[], bool]) -> None:
    """End the jobs as done, all in one transaction; one by one where that does not work. Never raises."""
    claims = [run.claim for run in runs]
    try:
        with database.write() as tx:
            lost = ownership.finish(tx, claims)
        for claim in lost:
            log.info("%s is no longer run here. The outcome of this attempt is dropped.", claim.key)
    except Exception as fault:  # noqa: BLE001 - an outcome must be written whatever the first attempt met
        log.warning("The ends of %d jobs could not be written together. %s", len(claims), account_of(fault))
        for claim in claims:
            _write(database, claim, _finish(claim), is_abandoned)


Outcome = Callable[[Connection], None]


def _finish(claim: ownership.Claim) -> Outcome:
    def finish_one(tx: Connection) -> None:
        ownership.finish(tx, [claim])

    return finish_one


def _release(claim: ownership.Claim) -> Outcome:
    def give_back(tx: Connection) -> None:
        ownership.release(tx, claim)

    return give_back


def _after_fault(claim: ownership.Claim, kind: Kind | None, fault: Exception) -> Outcome:
    sentence = sentence_of(fault)
    if kind is not None and is_transient(fault) and claim.faults < kind.retries:
        pause = kind.backoff(claim.faults + 1)
        log.warning("%s: %s Trying again in %.0f s. %s", claim.key, sentence, pause, account_of(fault))
        return lambda tx: ownership.postpone(tx, claim, pause, sentence)
    log.error("%s failed: %s %s", claim.key, sentence, account_of(fault))
    return lambda tx: ownership.fail(tx, claim, kind, sentence)


def _write(database: Database, claim: ownership.Claim, outcome: Outcome, is_abandoned: Callable[[], bool]) -> None:
    """Write the outcome, waiting for a restart of the database if necessary."""
    for attempt in range(1, OUTCOME_ATTEMPTS + 1):
        try:
            with database.write() as tx:
                outcome(tx)
            return
        except Interruption as reason:
            log.info("%s: %s The outcome of this attempt is dropped.", claim.key, reason)
            return
        except Exception as fault:  # noqa: BLE001 - an outcome must be written whatever the first attempt met
            if not is_transient(fault):
                # The handler's own failure hook failed: the job must end all the same.
                log.warning("%s: its outcome could not be written. %s", claim.key, account_of(fault))
                outcome = _plain_failure(claim, fault)
            elif is_abandoned():
                return
            time.sleep(min(5.0, 0.1 * 2.0**attempt))
    log.error("%s: the database stayed away; another worker will take this job over.", claim.key)


def _plain_failure(claim: ownership.Claim, fault: Exception) -> Outcome:
    return lambda tx: ownership.fail(tx, claim, None, sentence_of(fault))
