"""The version of settled data differs once anybody has changed one of their tables, and stays with other writes."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection, Select, bindparam, column, delete, func, insert, literal_column, select, text, update

from ingot.access.tables import projects
from ingot.features.code.protected_branches.tables import protected_branches
from ingot.identity.tables import users
from ingot.instance.settings import application_settings
from ingot.instance.tables import application_settings_table, feature_flags_table, instance_facts
from ingot.kit.clock import now
from ingot.kit.data_version import Versions
from ingot.kit.db import Database, counting_statements
from ingot.kit.settled_data import settled_changes
from ingot.kit.statements.remembering import KnownAnswers, LastingAnswers, remembering_answers
from ingot.kit.statements.settled import reads_settled_data
from tests.support.databases import Databases
from tests.support.world import World

SETTING = application_settings_table


@pytest.fixture(scope="module")
def pair(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Database]]:
    url = databases.fresh(tmp_path_factory.mktemp("settled"))
    created = Database(url), Database(url)
    yield created
    for database in created:
        database.dispose()


def versions(database: Database) -> Versions:
    with database.read() as conn:
        return database.versions(conn)


def set_word(tx: Connection, name: str, word: str) -> None:
    tx.execute(insert(SETTING).values(name=name, value=word, updated_at=now()))


@pytest.mark.parametrize("writer", [0, 1])
def test_other_writes_leave_it_as_it_is(pair: tuple[Database, Database], writer: int) -> None:
    before = [versions(database) for database in pair]
    assert before[0].settled is not None

    with pair[writer].write() as tx:
        tx.execute(insert(instance_facts).values(name=f"fact {writer}", value="x"))

    after = [versions(database) for database in pair]
    assert [one.settled for one in after] == [one.settled for one in before]
    assert all(one.data != old.data for one, old in zip(after, before, strict=True))


@pytest.mark.parametrize("writer", [0, 1])
def test_it_changes_with_each_insert_update_and_delete(pair: tuple[Database, Database], writer: int) -> None:
    mine = SETTING.c.name == "a word"
    changes: list[Callable[[Connection], object]] = [
        lambda tx: set_word(tx, "a word", "one"),
        lambda tx: tx.execute(update(SETTING).where(mine).values(value="two")),
        lambda tx: tx.execute(delete(SETTING).where(mine)),
    ]
    met = [[versions(database).settled] for database in pair]
    for change in changes:
        with pair[writer].write() as tx:
            change(tx)
        for database, known in zip(pair, met, strict=True):
            known.append(versions(database).settled)

    assert [len(set(known)) for known in met] == [4, 4]


def test_what_is_rolled_back_leaves_it_as_it_is(pair: tuple[Database, Database]) -> None:
    before = versions(pair[0]).settled

    with pair[0].writer.connect() as tx, tx.begin() as transaction:
        set_word(tx, "never", "x")
        transaction.rollback()

    assert versions(pair[0]).settled == before


def test_each_table_has_its_triggers(pair: tuple[Database, Database]) -> None:
    query = "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'settled_%'"
    if not pair[0].is_sqlite:
        query = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE 'settled_%' AND tgenabled = 'O'"
    with pair[0].read() as conn:
        rows = [row[0] for row in conn.execute(text(query))]

    assert {"application_settings", "lfs_locks", "namespaces", "protected_branches", "users"} <= set(rows)
    assert {rows.count(name) for name in rows} == {3 if pair[0].is_sqlite else 1}


def test_columns_that_change_often_do_not_count(world: World) -> None:
    db, person = world.server.services.db, world.user()
    mine = users.c.id == person.id

    def settled_after(**values: object) -> object:
        with db.write() as tx:
            tx.execute(update(users).where(mine).values(**values))
        return versions(db).settled

    before = versions(db).settled
    assert settled_after(last_activity_on=now().date(), sign_in_count=7) == before
    assert settled_after(name="Somebody Else") != before


def test_what_the_database_deletes_by_itself_counts(world: World) -> None:
    db, project = world.server.services.db, world.project(initialize_with_readme=True)
    with db.read() as conn:
        protected = select(protected_branches.c.id).where(protected_branches.c.project_id == project["id"])
        assert conn.execute(protected).first() is not None
    before = versions(db).settled

    with db.write() as tx:
        tx.execute(delete(projects).where(projects.c.id == project["id"]))
        assert tx.execute(protected).first() is None

    assert versions(db).settled != before


def test_a_change_that_is_committed_late_counts_and_old_notes_go(world: World) -> None:
    db = world.server.services.db
    if db.is_sqlite:
        pytest.skip("one writer at a time")
    with db.writer.connect() as late, late.begin():
        set_word(late, "late", "x")
        for number in range(40):
            with db.write() as tx:
                set_word(tx, f"meanwhile {number}", "x")
        before = versions(db).settled
    after = versions(db).settled
    with db.write() as tx:
        set_word(tx, "the last", "x")
        set_word(tx, "the very last", "x")
        notes = tx.execute(select(func.count()).select_from(settled_changes)).scalar_one()

    assert before != after != versions(db).settled
    assert 1 <= notes <= 17


BY_ID = users.c.id == bindparam("user_id")
QUERIES: dict[str, tuple[Select[tuple[object, ...]], bool]] = {
    "settled": (select(SETTING.c.value), True),
    "some columns": (select(users.c.name).where(BY_ID), True),
    "another column": (select(users.c.name).where(BY_ID, users.c.last_activity_on.is_(None)), False),
    "all columns": (select(users).where(BY_ID), False),
    "an order": (select(users.c.name).order_by(users.c.sign_in_count), False),
    "another table": (select(SETTING.c.value, feature_flags_table.c.name), False),
    "another table behind a condition": (
        select(users.c.name).where(select(feature_flags_table.c.name).exists()),
        False,
    ),
    "an alias": (select(users.alias().c.name), True),
    "another column of an alias": (select(users.alias().c.note), False),
    "all columns of an alias": (select(users.alias()), False),
    "all columns in a list": (select(users.c.name).where(users.c.name.in_(select(users.c.name, users))), False),
    "a star": (select(literal_column("*")).select_from(users), False),
    "a number": (select(literal_column("1"), SETTING.c.name), True),
    "a text": (select(SETTING.c.value).where(text("name IN (SELECT name FROM feature_flags)")), False),
    "a column without a table": (select(column("note")).select_from(users), False),
    "a written column": (select(literal_column("note")).select_from(users), False),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_known_by_the_columns_that_it_reads(name: str) -> None:
    query, is_settled = QUERIES[name]
    assert reads_settled_data(query) is is_settled


def test_only_changes_of_settled_data_end_answers_of_them(pair: tuple[Database, Database]) -> None:
    known = KnownAnswers(1_000)

    def asked() -> tuple[object, int]:
        with counting_statements() as counter, pair[0].read() as conn:
            left = LastingAnswers(known, lambda: pair[0].versions(conn))
            with remembering_answers(left):
                value = application_settings(conn)["minimum_password_length"]
        return value, counter[0]

    def write(change: Callable[[Connection], object]) -> None:
        with pair[1].write() as tx:
            change(tx)

    assert asked()[0] == 8
    write(lambda tx: tx.execute(insert(instance_facts).values(name="a further fact", value="x")))
    assert asked() == (8, 1)  # the version
    write(lambda tx: set_word(tx, "minimum_password_length", "12"))
    assert asked() == ("12", 2)
