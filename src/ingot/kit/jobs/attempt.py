"""Runs one attempt to its end: done, failed with a sentence, tried again later, or given back."""

import logging
import time
from collections.abc import Callable, Sequence

from sqlalchemy import Connection

from ingot.kit.db import Database
from ingot.kit.jobs import ownership
from ingot.kit.jobs.disclosure import account_of
from ingot.kit.jobs.errors import Interruption, is_transient, sentence_of
from ingot.kit.jobs.registry import Kind, find_kind
from ingot.kit.jobs.run import Run

log = logging.getLogger(__name__)

# Writing an outcome is tried this often, with growing pauses (41 s in all), before a takeover must do it.
OUTCOME_ATTEMPTS = 12


def run_handler(database: Database, run: Run, is_abandoned: Callable[[], bool]) -> bool:
    """Call the handler. Never raises. True: it succeeded, and that is still to be written; all else is written."""
    held = run.claim
    kind = find_kind(held.kind)
    try:
        run.begin()
        if kind is None:
            raise LookupError(f"No background work is registered as {held.kind!r}.")
        kind.handler(run, **held.args)
        return True
    except Interruption as reason:
        log.info("%s: %s", held.key, reason or type(reason).__name__)
        outcome = _release(held)
    except Exception as fault:  # noqa: BLE001 - whatever a handler raises becomes an outcome
        outcome = _after_fault(held, kind, fault)
    _write(database, held, outcome, is_abandoned)
    return False


def write_successes(database: Database, runs: Sequence[Run], is_abandoned: Callable[[], bool]) -> None:
    """End the jobs as done, all in one transaction; one by one where that does not work. Never raises."""
    claims = [run.claim for run in runs]
    try:
        with database.write() as tx:
            lost = ownership.finish(tx, claims)
        for held in lost:
            log.info("%s is no longer run here. The outcome of this attempt is dropped.", held.key)
    except Exception as fault:  # noqa: BLE001 - an outcome must be written whatever the first attempt met
        log.warning("The ends of %d jobs could not be written together. %s", len(claims), account_of(fault))
        for held in claims:
            _write(database, held, _finish(held), is_abandoned)


Outcome = Callable[[Connection], None]


def _finish(held: ownership.Claim) -> Outcome:
    def finish_one(tx: Connection) -> None:
        ownership.finish(tx, [held])

    return finish_one


def _release(held: ownership.Claim) -> Outcome:
    def give_back(tx: Connection) -> None:
        ownership.release(tx, held)

    return give_back


def _after_fault(held: ownership.Claim, kind: Kind | None, fault: Exception) -> Outcome:
    sentence = sentence_of(fault)
    if kind is not None and is_transient(fault) and held.faults < kind.retries:
        pause = kind.backoff(held.faults + 1)
        log.warning("%s: %s Trying again in %.0f s. %s", held.key, sentence, pause, account_of(fault))
        return lambda tx: ownership.postpone(tx, held, pause, sentence)
    log.error("%s failed: %s %s", held.key, sentence, account_of(fault))
    return lambda tx: ownership.fail(tx, held, kind, sentence)


def _write(database: Database, held: ownership.Claim, outcome: Outcome, is_abandoned: Callable[[], bool]) -> None:
    """Write the outcome, through a restart of the database if need be."""
    for attempt in range(1, OUTCOME_ATTEMPTS + 1):
        try:
            with database.write() as tx:
                outcome(tx)
            return
        except Interruption as reason:
            log.info("%s: %s The outcome of this attempt is dropped.", held.key, reason)
            return
        except Exception as fault:  # noqa: BLE001 - an outcome must be written whatever the first attempt met
            if not is_transient(fault):
                # The handler's own failure hook is at fault: the job must end all the same.
                log.warning("%s: its outcome could not be written. %s", held.key, account_of(fault))
                outcome = _plain_failure(held, fault)
            elif is_abandoned():
                return
            time.sleep(min(5.0, 0.1 * 2.0**attempt))
    log.error("%s: the database stayed away; another worker will take this job over.", held.key)


def _plain_failure(held: ownership.Claim, fault: Exception) -> Outcome:
    return lambda tx: ownership.fail(tx, held, None, sentence_of(fault))
