"""The version of the database differs once anybody has committed a change."""

from collections.abc import Hashable, Iterator

import pytest
from sqlalchemy import insert, select

from ingot.instance.tables import instance_facts
from ingot.kit.data_version import Versioned
from ingot.kit.db import Database
from tests.support.databases import Databases


@pytest.fixture(scope="module")
def pair(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Database]]:
    url = databases.fresh(tmp_path_factory.mktemp("version"))
    created = Database(url), Database(url)
    yield created
    for database in created:
        database.dispose()


def version_of(database: Database) -> Hashable | None:
    with database.read() as conn:
        return database.version(conn)


def note(database: Database, name: str) -> None:
    with database.write() as tx:
        tx.execute(insert(instance_facts).values(name=name, value="x"))


def test_reading_leaves_the_version_as_it_is(pair: tuple[Database, Database]) -> None:
    one, _ = pair
    before = version_of(one)
    assert before is not None
    with one.read() as conn:
        conn.execute(select(instance_facts)).all()

    assert version_of(one) == before


@pytest.mark.parametrize("writer", [0, 1])
def test_a_commit_changes_it_whoever_made_it(pair: tuple[Database, Database], writer: int) -> None:
    before = [version_of(database) for database in pair]

    note(pair[writer], f"version {writer}")

    assert all(version_of(database) != old for database, old in zip(pair, before, strict=True))


def test_values_hold_for_their_version_alone() -> None:
    values: Versioned[str, int] = Versioned(10)
    values.put("first", "a", 1)
    assert values.get("first", "a") == 1
    assert values.get("second", "a") is None
    assert values.get(None, "a") is None

    values.put("second", "b", 2)

    assert values.get("first", "a") is None
    assert values.get("second", "b") == 2


def test_values_take_no_more_room_than_they_may() -> None:
    values: Versioned[int, str] = Versioned(10)
    for number in range(100):
        values.put("first", number, "x", size=3)
    assert sum(values.get("first", number) is not None for number in range(100)) == 1 + 99 % 3
    values.put("first", 1, "y", size=11)
    assert values.get("first", 1) is None
