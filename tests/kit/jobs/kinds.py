"""Kinds of work for the engine's tests: they leave traces in a table and follow files as signals."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, func, select

from ingot.kit.db import Id
from ingot.kit.jobs import JobFailed, Run, Transient, job, periodic

# Apart from the product's tables: the schema check of the product must not see it.
metadata = MetaData()
traces = Table(
    "test_traces",
    metadata,
    Column("id", Id, primary_key=True),
    Column("word", String(100), nullable=False),
    Column("number", Integer, nullable=False, server_default="0"),
)


@dataclass
class Services:
    db: Any = None
    greeting: str = "hello"


def note(tx: Connection, word: str, number: int = 0) -> None:
    tx.execute(traces.insert().values(word=word, number=number))


def words(tx: Connection) -> list[str]:
    """The traces in order, without those of the periodic work, which runs beside every test."""
    statement = select(traces.c.word).where(traces.c.word != "tick").order_by(traces.c.id)
    return list(tx.execute(statement).scalars())


def ticks(tx: Connection) -> int:
    return tx.execute(select(func.count()).select_from(traces).where(traces.c.word == "tick")).scalar_one()


def tell_failure(tx: Connection, args: Mapping[str, Any], sentence: str) -> None:
    note(tx, f"failed: {sentence}")


@job("test_note")
def write_note(run: Run, word: str) -> None:
    with run.db.write() as tx:
        note(tx, word)


@job("test_steps")
def three_steps(run: Run, gate: str) -> None:
    """Two recorded steps, then waits for a file between the second and the third."""
    run.step("first", lambda: _plain(run, "first"))
    run.transact("second", lambda tx: note(tx, "second"))
    _wait(run, gate, "third-began")
    run.transact("third", lambda tx: note(tx, "third"))


@job("test_paused")
def paused_in_a_step(run: Run, gate: str) -> None:
    """Waits outside the engine's sight, then writes: what a process does that was paused and goes on."""
    run.transact("begin", lambda tx: note(tx, "began"))
    with run.db.write() as tx:
        note(tx, "entered")
    deadline = time.monotonic() + 120
    while not Path(gate).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    # As a command does that was handed the services.
    with run.services.db.write() as tx:
        note(tx, "effect")


@job("test_flaky", retries=2, backoff=0.01, failed=tell_failure)
def flaky(run: Run, faults: int) -> None:
    if run.claim.faults < faults:
        raise Transient("not yet")
    with run.db.write() as tx:
        note(tx, f"after {run.claim.faults}")


@job("test_hopeless", failed=tell_failure)
def hopeless(run: Run, secret: str = "") -> None:
    if secret:
        raise ValueError(secret)
    raise JobFailed("The archive is broken.")


@job("test_bad_hook", failed=lambda tx, args, sentence: 1 / 0)
def bad_hook(run: Run) -> None:
    raise JobFailed("The archive is broken.")


@job("test_slow", timeout=0.2, failed=tell_failure)
def slow(run: Run) -> None:
    while True:
        run.check()
        time.sleep(0.01)


@job("test_long")
def until_interrupted(run: Run, cleaned: str = "") -> None:
    run.progress(done=1, total=10, label="notes")
    try:
        while True:
            run.check()
            time.sleep(0.01)
    finally:
        if cleaned:
            Path(cleaned).touch()


@job("test_long_lane", long=True)
def long_lane(run: Run, gate: str) -> None:
    _wait(run, gate)


@job("test_gate")
def behind_a_gate(run: Run, gate: str) -> None:
    with run.db.write() as tx:
        note(tx, "read")
    _wait(run, gate)


def register_tick() -> None:
    """For the engine's own tests only: on the database of any other server it would have no table to write to."""
    periodic("test_tick", every=0.5)(tick)


def tick(run: Run) -> None:
    with run.db.write() as tx:
        note(tx, "tick")


def _plain(run: Run, word: str) -> str:
    with run.db.write() as tx:
        note(tx, word)
    return f"{run.services.greeting} {word}"


def _wait(run: Run, gate: str, word: str = "") -> None:
    if word:
        with run.db.write() as tx:
            note(tx, word)
    while not Path(gate).exists():
        run.check()
        time.sleep(0.01)
