"""The check that refuses migrations which the version before cannot live with."""

import pytest

from checks.migrations import breaking_statements, changing_statements, locking_statements, problems
from checks.statements import indexes

# Of the schema of the version before.
EARLIER = {"ix_labels_color": False, "ix_labels_name": True}


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE labels",
        'DROP TABLE IF EXISTS "labels"',
        "ALTER TABLE labels DROP COLUMN color",
        "ALTER TABLE labels DROP CONSTRAINT labels_name_key",
        "ALTER TABLE labels RENAME COLUMN color TO colour",
        "ALTER TABLE labels RENAME TO tags",
        "ALTER TABLE labels ALTER COLUMN color TYPE text",
        "ALTER TABLE labels ALTER COLUMN color SET DATA TYPE text",
        "ALTER TABLE labels\n    ALTER COLUMN color SET NOT NULL",
        "ALTER TABLE labels ADD COLUMN weight INTEGER NOT NULL",
        "ALTER TABLE labels ADD COLUMN code VARCHAR(8) DEFAULT '' UNIQUE",
        "ALTER TABLE labels ALTER COLUMN color DROP DEFAULT",
        "ALTER TABLE labels ADD CONSTRAINT one_name UNIQUE (name)",
        "CREATE UNIQUE INDEX ix_labels_name ON labels (name)",
        "CREATE UNIQUE INDEX IF NOT EXISTS ix_labels_name ON labels (name)",
        'CREATE UNIQUE INDEX "ix_labels_name" ON "labels" (name)',
        "CREATE UNIQUE INDEX CONCURRENTLY ix_labels_name ON labels (name)",
        "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ix_labels_name ON ONLY public.labels (name)",
        "CREATE UNIQUE INDEX ON labels (name)",
        "ALTER TABLE labels ADD CHECK (name <> '')",
        "ALTER TABLE labels ADD CONSTRAINT has_name CHECK (name <> '')",
        "ALTER TABLE labels ADD CONSTRAINT has_name CHECK (name <> '') NOT VALID",
        "ALTER TABLE labels ADD UNIQUE (name)",
        "ALTER TABLE labels ADD PRIMARY KEY (name)",
        "ALTER TABLE labels ADD FOREIGN KEY (project_id) REFERENCES projects (id)",
        "ALTER TABLE labels ADD COLUMN weight INTEGER CHECK (weight IS NOT NULL)",
        "ALTER TABLE labels ADD COLUMN weight INTEGER DEFAULT 0 CHECK (weight > 0)",
        "ALTER TABLE labels ADD COLUMN weight INTEGER DEFAULT 0 CHECK (weight = 0 AND color <> '')",
        "ALTER TABLE labels ADD COLUMN weight INTEGER NOT NULL, ADD COLUMN code TEXT DEFAULT 'x'",
        "ALTER TABLE labels ADD COLUMN code TEXT DEFAULT 'a, b', DROP color",
        "ALTER TABLE IF EXISTS ONLY public.labels DROP COLUMN color",
        "ALTER TABLE labels DROP color",
        "ALTER TABLE labels DISABLE TRIGGER label_moved",
        "DROP VIEW open_labels",
        "DROP MATERIALIZED VIEW IF EXISTS open_labels",
        "DROP TRIGGER label_moved",
        "DROP TRIGGER IF EXISTS label_moved ON labels",
        "DROP FUNCTION label_moved()",
        "DROP TABLE flags, labels",
        "CREATE TRIGGER no_color BEFORE INSERT ON labels BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE TRIGGER no_color BEFORE INSERT ON labels BEGIN SELECT RAISE(IGNORE); END",
        "CREATE FUNCTION no_color() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$",
        "CREATE OR REPLACE FUNCTION no_color() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$",
        "DROP INDEX ix_labels_name",
        "DROP INDEX IF EXISTS ix_labels_name",
        'DROP INDEX CONCURRENTLY IF EXISTS "public"."ix_labels_name"',
        "DROP INDEX ix_labels_color, ix_labels_name",
        "DROP INDEX ix_labels_name CASCADE",
        "DROP INDEX ix_labels_nobody_knows",
        "CREATE RULE nothing AS ON DELETE TO labels DO INSTEAD NOTHING",
        "DO $$ BEGIN ALTER TABLE labels DROP COLUMN color; END $$",
        "UPDATE issues SET weight = 0; DROP TABLE labels",
    ],
)
def test_what_breaks_is_refused(statement: str) -> None:
    script = f"ALTER TABLE issues ADD COLUMN weight INTEGER\n--;\n{statement}"

    assert [refused for refused, _ in breaking_statements(script, EARLIER)] == [" ".join(statement.split())]
    assert not list(breaking_statements(f"-- contracts since 0034: nothing reads it\n{script}", EARLIER))


@pytest.mark.parametrize(
    "script",
    [
        "ALTER TABLE labels ADD COLUMN weight INTEGER",
        "ALTER TABLE labels ADD COLUMN weight INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE labels ADD COLUMN weight INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX ix_labels_name ON labels (name)",
        "CREATE TABLE flags (id INTEGER NOT NULL)\n--;\nCREATE UNIQUE INDEX ix_flags ON flags (id)",
        "UPDATE labels SET color = '#fff'",
        "DROP INDEX ix_labels_color",
        "CREATE TABLE flags (id BIGINT)\n--;\nCREATE UNIQUE INDEX ix_flags ON flags (id)\n--;\nDROP INDEX ix_flags",
        "ALTER TABLE labels ADD COLUMN note TEXT DEFAULT 'NOT NULL, UNIQUE', ADD COLUMN \"check\" BOOLEAN",
        "ALTER TABLE labels ADD COLUMN weight INTEGER CHECK (weight > 0)",
        "ALTER TABLE labels ADD COLUMN kind VARCHAR(8) DEFAULT 'old' NOT NULL CHECK (kind IN ('old', 'new'))",
        "ALTER TABLE labels ALTER COLUMN color DROP NOT NULL",
        "-- DROP TABLE labels\nALTER TABLE labels ADD COLUMN weight INTEGER -- not NOT NULL",
        "CREATE TABLE flags (id BIGINT)\n--;\nALTER TABLE flags ADD CHECK (id > 0)\n--;\nDROP TABLE flags",
        (
            "DROP TRIGGER IF EXISTS moved ON labels\n--;\n"
            "CREATE TRIGGER moved AFTER UPDATE ON labels FOR EACH ROW EXECUTE FUNCTION moved()"
        ),
        "CREATE TRIGGER moved AFTER UPDATE ON labels BEGIN UPDATE issues SET moved = 1; END",
        "CREATE FUNCTION moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'moved'; END $$",
        (
            "CREATE TABLE flags (id BIGINT)\n--;\n"
            "CREATE FUNCTION no_flag() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$\n--;\n"
            "CREATE TRIGGER no_flag BEFORE DELETE ON flags FOR EACH ROW EXECUTE FUNCTION no_flag()"
        ),
    ],
)
def test_what_only_adds_passes(script: str) -> None:
    assert not list(breaking_statements(script, EARLIER))


def test_a_table_that_is_dropped_and_created_anew_is_refused() -> None:
    script = "DROP TABLE labels\n--;\nCREATE TABLE labels (id BIGINT)"

    assert [refused for refused, _ in breaking_statements(script, EARLIER)] == ["DROP TABLE labels"]


def test_a_function_that_raises_for_an_old_table_is_refused() -> None:
    function = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$"
    triggers = [
        f"CREATE TRIGGER refuse_{table} BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
        for table in ("flags", "labels")
    ]
    script = "\n--;\n".join(["CREATE TABLE flags (id BIGINT)", function, *triggers])

    assert [refused for refused, _ in breaking_statements(script, EARLIER)] == [function]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE INDEX ix_labels_name ON labels (name)",
        'CREATE INDEX "ix_labels_name" ON "labels" (name)',
        "CREATE UNIQUE INDEX ix_labels_name ON labels (name)",
        "UPDATE labels SET color = '#fff'",
        "DELETE FROM labels WHERE color = ''",
        "ALTER TABLE labels ADD COLUMN number BIGSERIAL",
        "ALTER TABLE labels ADD COLUMN code UUID DEFAULT gen_random_uuid()",
        "ALTER TABLE labels ADD COLUMN low TEXT GENERATED ALWAYS AS (lower(name)) STORED",
        "LOCK TABLE labels",
    ],
)
def test_what_keeps_others_waiting_is_refused_without_a_reason(statement: str) -> None:
    assert [refused for refused, _ in locking_statements(f"CREATE TABLE flags (id BIGINT)\n--;\n{statement}")] == [
        statement
    ]
    assert not list(locking_statements(f"-- locks: there are few labels\n{statement}"))
    assert not list(locking_statements(f"CREATE TABLE labels (name TEXT)\n--;\n{statement}"))


@pytest.mark.parametrize(
    "mark", ["-- contracts: nothing reads it", "-- contracts since 0050: it is new", "-- contracts since 0046:"]
)
def test_a_contraction_says_since_which_schema(mark: str) -> None:
    assert list(problems("0050_gone.sqlite.sql", f"{mark}\nUPDATE labels SET color = ''", EARLIER))


def test_a_contraction_is_taken() -> None:
    script = "-- contracts since 0046: nothing reads the colour\nALTER TABLE labels DROP COLUMN color"

    assert not list(problems("0050_gone.postgresql.sql", script, EARLIER))


def test_an_index_that_comes_back_without_being_unique_is_missed() -> None:
    dropped = "DROP INDEX ix_labels_name"
    script = f"{dropped}\n--;\nCREATE INDEX ix_labels_name ON labels (name)"

    assert [refused for refused, _ in breaking_statements(script, EARLIER)] == [dropped]


def test_indexes_of_earlier_migrations_are_known() -> None:
    script = (
        "CREATE INDEX ix_labels_color ON labels (color)\n--;\n"
        'CREATE UNIQUE INDEX IF NOT EXISTS "ix_labels_name" ON labels (name) -- one name once\n--;\n'
        "CREATE UNIQUE INDEX ON labels (name)"
    )

    assert indexes(script) == EARLIER


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE labels SET color = '#fff'",
        'UPDATE ONLY "labels" SET color = lower(color)',
        "UPDATE labels AS one SET weight = 1, color = '#fff' WHERE one.id > 7",
        "UPDATE labels SET (weight, color) = (1, '#fff')",
        "DELETE FROM labels WHERE color = ''",
        "INSERT INTO labels (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET color = '#fff'",
        "INSERT OR REPLACE INTO labels (id) VALUES (1)",
    ],
)
def test_a_change_of_rows_says_why_the_version_before_understands_it(statement: str) -> None:
    script = f"ALTER TABLE labels ADD COLUMN weight INTEGER\n--;\n{statement}"

    assert [refused for refused, _ in changing_statements(script)] == [statement]
    assert list(changing_statements(script.replace(statement, f"-- rows:\n{statement}")))
    assert not list(changing_statements(script.replace(statement, f"-- rows: it wrote both\n{statement}")))
    assert not list(changing_statements(script.replace(statement, f"-- locks: few\n-- rows: both\n{statement}")))


@pytest.mark.parametrize(
    "script",
    [
        "ALTER TABLE labels ADD COLUMN weight INTEGER\n--;\nUPDATE labels SET weight = length(name), weight = 2",
        "CREATE TABLE flags (id BIGINT)\n--;\nDELETE FROM flags",
        "INSERT INTO labels (id) VALUES (1)",
        "INSERT INTO labels (id, name) VALUES (1, 'x') ON CONFLICT DO NOTHING",
        "CREATE TRIGGER moved AFTER UPDATE ON labels BEGIN DELETE FROM issues; END",
    ],
)
def test_what_changes_no_old_value_needs_no_reason(script: str) -> None:
    assert not list(changing_statements(script))


def test_rows_are_looked_at_in_migrations_from_now_on() -> None:
    script = "-- contracts since 0046: nothing reads it\nUPDATE labels SET color = ''"

    assert not list(problems("0052_earlier.sqlite.sql", script, EARLIER))
    assert [refused for refused, _ in problems("0053_later.sqlite.sql", script, EARLIER)] == [
        "UPDATE labels SET color = ''"
    ]
