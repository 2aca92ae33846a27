"""Transactions, counters and moments on the suite's database."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from ingot.instance.tables import instance_facts
from ingot.kit.clock import through, wire
from ingot.kit.counters import next_value, raise_to
from ingot.kit.db import Database, UtcDateTime, after_commit, counting_statements
from tests.support.databases import Databases


@pytest.fixture(scope="module")
def db(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = tmp_path_factory.mktemp("database")
    created = Database(databases.fresh(folder))
    yield created
    created.dispose()


def test_numbers_are_given_once_even_to_many_at_a_time(db: Database) -> None:
    taken: list[int] = []

    def take() -> None:
        for _ in range(10):
            with db.write() as tx:
                taken.append(next_value(tx, "project:1", "things"))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(taken) == list(range(1, 41))


def test_runs_of_numbers_and_jumps(db: Database) -> None:
    with db.write() as tx:
        assert next_value(tx, "project:2", "things", by=5) == 5
        raise_to(tx, "project:2", "things", 20)
        raise_to(tx, "project:2", "things", 3)
        assert next_value(tx, "project:2", "things") == 21
        assert next_value(tx, "project:2", "others") == 1


def _fail(db: Database, work: Callable[[Connection], object]) -> None:
    with db.write() as tx:
        work(tx)
        raise ZeroDivisionError


def test_what_waits_for_the_commit_never_happens_on_rollback(db: Database) -> None:
    done: list[str] = []

    with db.write() as tx:
        after_commit(tx, lambda: done.append("committed"))
        assert done == []
    with pytest.raises(ZeroDivisionError):
        _fail(db, lambda tx: after_commit(tx, lambda: done.append("rolled back")))

    assert done == ["committed"]


def test_a_failed_transaction_leaves_nothing(db: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        _fail(db, lambda tx: tx.execute(instance_facts.insert().values(name="half", value="x")))

    with db.read() as conn:
        assert conn.execute(select(instance_facts).where(instance_facts.c.name == "half")).first() is None


def test_statements_are_counted_per_context(db: Database) -> None:
    with counting_statements() as counter, db.read() as conn:
        conn.execute(select(instance_facts))
        conn.execute(select(instance_facts))

    assert counter == [2]


def test_moments_are_aware_and_utc(db: Database) -> None:
    kind = UtcDateTime()
    noon = datetime(2024, 6, 16, 14, 0, tzinfo=timezone(timedelta(hours=2)))

    bound = kind.process_bind_param(noon, db.reader.dialect)
    assert kind.process_result_value(bound, db.reader.dialect) == datetime(2024, 6, 16, 12, 0, tzinfo=UTC)
    with pytest.raises(ValueError, match="naive"):
        kind.process_bind_param(datetime(2024, 6, 16), db.reader.dialect)  # noqa: DTZ001 - the mistake under test


def test_the_wire_shows_whole_seconds_and_bounds_cover_them() -> None:
    moment = datetime(2024, 6, 16, 12, 0, 0, 250_000, tzinfo=UTC)

    assert wire(moment).isoformat() == "2024-06-16T12:00:00+00:00"
    assert through(wire(moment)) >= moment
    assert through(moment) == moment
